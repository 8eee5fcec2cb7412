import { describe, expect, it } from 'vitest'
import { StreamPlaces } from '../../src/status/stream-places.js'

describe('the places for streams', () => {
  const taken = (places: StreamPlaces, token: string) => {
    const place = places.take(token)
    if (typeof place !== 'function') throw new Error(`no place for ${token}`)
    return place
  }

  it('are counted for each token, and given back once', () => {
    const places = new StreamPlaces({ perToken: 2, inAll: 9 })
    const first = taken(places, 'ann')
    taken(places, 'ann')
    expect(places.take('ann')).toEqual({ full: 'token', most: 2 })
    taken(places, 'bob')
    first()
    first()
    taken(places, 'ann')
    expect(places.take('ann')).toEqual({ full: 'token', most: 2 })
  })

  it('are counted for all tokens together', () => {
    const places = new StreamPlaces({ perToken: 2, inAll: 3 })
    const ann = [taken(places, 'ann'), taken(places, 'ann')]
    taken(places, 'bob')
    expect(places.take('bob')).toEqual({ full: 'gateway', most: 3 })
    for (const giveBack of ann) giveBack()
    taken(places, 'bob')
    taken(places, 'cat')
    expect(places.take('dan')).toEqual({ full: 'gateway', most: 3 })
  })

  it('may be none', () => {
    expect(new StreamPlaces({ perToken: 0, inAll: 1 }).take('ann')).toEqual({ full: 'token', most: 0 })
  })
})
