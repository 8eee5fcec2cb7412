import { describe, expect, it } from 'vitest'
import { StreamPlaces } from '../../src/status/stream-places.js'

describe('the places for streams', () => {
  const of = (name: string, tenant = 'acme') => ({ name, tenant })
  const taken = (places: StreamPlaces, token: string, tenant?: string) => {
    const place = places.take(of(token, tenant))
    if (typeof place !== 'function') throw new Error(`no place for ${token}`)
    return place
  }

  it('are counted for each token, and given back once', () => {
    const places = new StreamPlaces({ perToken: 2, perTenant: 9, inAll: 9 })
    const first = taken(places, 'ann')
    taken(places, 'ann')
    expect(places.take(of('ann'))).toEqual({ full: 'token', most: 2 })
    taken(places, 'bob')
    first()
    first()
    taken(places, 'ann')
    expect(places.take(of('ann'))).toEqual({ full: 'token', most: 2 })
  })

  it('are counted for all tokens together', () => {
    const places = new StreamPlaces({ perToken: 2, perTenant: 3, inAll: 3 })
    const ann = [taken(places, 'ann'), taken(places, 'ann')]
    taken(places, 'bob', 'globex')
    expect(places.take(of('bob', 'globex'))).toEqual({ full: 'gateway', most: 3 })
    for (const giveBack of ann) giveBack()
    taken(places, 'bob')
    taken(places, 'cat')
    expect(places.take(of('dan', 'globex'))).toEqual({ full: 'gateway', most: 3 })
  })

  it('are counted for each tenant, who cannot have all of them by many tokens', () => {
    const places = new StreamPlaces({ perToken: 2, perTenant: 3, inAll: 4 })
    const ann = [taken(places, 'ann'), taken(places, 'ann')]
    taken(places, 'bob')
    expect(places.take(of('bob'))).toEqual({ full: 'tenant', most: 3 })
    taken(places, 'eve', 'globex')
    expect(places.take(of('eve', 'globex'))).toEqual({ full: 'gateway', most: 4 })
    for (const giveBack of ann) giveBack()
    taken(places, 'bob') // what was refused took no place of its token
  })

  it('may be none', () => {
    expect(new StreamPlaces({ perToken: 0, perTenant: 1, inAll: 1 }).take(of('ann'))).toEqual({
      full: 'token',
      most: 0,
    })
  })
})
