import process from 'node:process'
import { generate } from '@sluice/openapi/generate'

const [document, output, tags] = process.argv.slice(2)
await generate({ document, output, tags: tags?.split(',') })
