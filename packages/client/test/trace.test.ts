import { context, propagation, type SpanContext, TraceFlags, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { CompositePropagator, TraceState, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import { ClientBuilder, unwrap } from '@sluice/client'
import { openTelemetry } from '@sluice/client/opentelemetry'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serve } from '../../fetch/test/server.js'

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const propagators = [new W3CTraceContextPropagator(), new W3CBaggagePropagator()]
  propagation.setGlobalPropagator(new CompositePropagator({ propagators }))
})
afterAll(() => {
  context.disable()
  propagation.disable()
})

const traceId = '0af7651916cd43dd8448eb211c80319c'
const span: SpanContext = {
  ...{ traceId, spanId: 'b7ad6b7169203331', traceFlags: TraceFlags.SAMPLED },
  traceState: new TraceState('vendor=value'),
}
const traceparent = `00-${traceId}-b7ad6b7169203331-01`

/** Runs `act` where a span is active, with baggage beside it. */
const inSpan = <T>(act: () => T): T => {
  const baggage = propagation.createBaggage({ customer: { value: 'acme' } })
  return context.with(propagation.setBaggage(trace.setSpanContext(context.active(), span), baggage), act)
}

const service = () =>
  serve((nth, response) => {
    if (nth < 3) response.writeHead(nth === 1 ? 429 : 503, { 'retry-after-ms': '1' }).end()
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
const traces = (received: { headers: Record<string, unknown> }[]) =>
  received.map(({ headers }) => [headers.traceparent, headers.tracestate, headers.baggage])

test('every attempt of a call carries the headers of the span in which it was made, and no baggage', async () => {
  const { url, received } = await service()
  const client = new ClientBuilder(url)
    .bearer(async () => 'tok')
    .trace(openTelemetry)
    .build()
  const call = inSpan(() => client.listPipes())
  await unwrap(call)
  expect(traces(received)).toEqual(Array(3).fill([traceparent, 'vendor=value', undefined]))
})

test('without a span, or without .trace(), nothing is sent', async () => {
  const { url, received } = await service()
  await unwrap(new ClientBuilder(url).trace(openTelemetry).build().listPipes())
  await unwrap(inSpan(() => new ClientBuilder(url).build().listPipes()))
  expect(traces(received)).toEqual(Array(4).fill([undefined, undefined, undefined]))
})

test("the caller's own headers stand alone", async () => {
  const { url, received } = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  )
  const own = '00-11111111111111111111111111111111-2222222222222222-00'
  const builder = new ClientBuilder(url).trace(openTelemetry)
  const headers = { traceparent: own } as Record<string, string>
  await unwrap(inSpan(() => builder.build().listPipes({ headers })))
  await unwrap(inSpan(() => builder.header('traceparent', own).build().listPipes()))
  expect(traces(received)).toEqual(Array(2).fill([own, undefined, undefined]))
})

test('a source of your own is asked once a call', async () => {
  const { url, received } = await service()
  let asked = 0
  const source = () => ({ traceparent, 'x-other': `${++asked}` })
  await unwrap(new ClientBuilder(url).trace(source).build().listPipes())
  expect([asked, received.length]).toEqual([1, 3])
  expect(received[0]?.headers).toMatchObject({ traceparent })
  expect(received[0]?.headers['x-other']).toBeUndefined()
})
