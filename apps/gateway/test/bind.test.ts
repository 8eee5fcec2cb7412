import { describe, expect, it } from 'vitest'
import { bindStatement, killStatement } from '../src/engine/bind.js'

describe('bindStatement', () => {
  it('names the query and binds all its values in one statement', () => {
    expect(bindStatement('q7', { a: '1', b: 'A' })).toBe("SET log_comment='q7', param_a='\\x31', param_b='\\x41'")
    expect(bindStatement('q8', {})).toBe("SET log_comment='q8'")
  })

  it('leaves nothing of a value that the engine could read as SQL', () => {
    const statement = bindStatement('q7', { word: "x'; DROP TABLE flights -- \\ \t\n\0 é" })
    expect(statement).toMatch(/^SET log_comment='q7', param_word='(\\x[0-9a-f]{2})+'$/)
  })

  it('refuses a name that is none', () => {
    expect(() => bindStatement('q7', { "a='1', b": 'x' })).toThrow('is not a name')
    expect(() => bindStatement("q7'", {})).toThrow('is not a name')
    expect(() => killStatement("q7' OR 1")).toThrow('is not a name')
  })
})
