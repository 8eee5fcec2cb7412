import type { Browser } from 'playwright-core'

/** Whether a Chromium is here. Where it has to be (`CI=true`) tests run without asking, and fail. */
export const hasChromium: boolean

/** No test downloads a browser: it is the machine's own, with a fresh profile, and asks nobody anything. */
export function startChromium(): Promise<Browser>
