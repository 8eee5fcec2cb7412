import { appendFileSync } from 'node:fs'
import process from 'node:process'

// Loaded into every process of a run, the children of children included.
process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  appendFileSync(process.env.USAGE_FILE, `${JSON.stringify({ maxRSS, cpu: userCPUTime + systemCPUTime })}\n`)
})
