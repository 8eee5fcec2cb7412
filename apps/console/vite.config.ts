import { defineConfig, type UserConfig } from 'vite'

const config: UserConfig = defineConfig({
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false }, // every browser that runs es2022 knows it
    assetsInlineLimit: 0, // the page's own policy lets nothing in that is not a file beside it
    reportCompressedSize: false,
  },
})
export default config
