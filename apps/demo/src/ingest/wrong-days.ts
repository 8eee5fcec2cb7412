import type { FlightEvent } from './flights.js'

const DAY_MS = 86_400_000
/** As many days as a DateTime has. */
const MOST_DAYS = 49_000

/** Makes the events of a sender that goes wrong: a day, and so a partition, for each row, in turn over so many days. */
export class WrongDays {
  #next = 0

  /** @param days partitions that it has in turn */
  take(rows: number, days: number): FlightEvent[] {
    const turn = Math.min(days, MOST_DAYS)
    return Array.from({ length: rows }, () => {
      const number = this.#next++
      const departure = new Date((number % turn) * DAY_MS).toISOString().replace('.000', '')
      return { number, departure, delay: 0, distance: 0, origin: 'ORD', destination: 'DEN' }
    })
  }
}
