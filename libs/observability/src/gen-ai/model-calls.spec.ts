import { describe, expect, it } from '@jest/globals';
import type { Metrics } from '../metrics/metrics.ts';
import type { Attributes, SpanOptions, Tracing } from '../tracing/tracing.ts';
import { ModelCalls } from './model-calls.ts';

const chat = { operation: 'chat', provider: 'openai', model: 'large', attributes: { 'parlance.model': 'our-large' } } as const;
const embeddings = { operation: 'embeddings', provider: 'openai', model: 'small' } as const;
const usage = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 4 };

function observing({ isRecorded = true, isServed = true } = {}) {
  const reported: unknown[][] = [];
  const spans: { name: string; kind: string | undefined; attributes: Attributes; error?: unknown; ends: number }[] = [];
  const tracing = {
    isRecorded,
    begin(name: string, { kind, attributes = {} }: SpanOptions) {
      const span: (typeof spans)[number] = { name, kind, attributes, ends: 0 };
      spans.push(span);
      return {
        traceparent: undefined,
        set: (more: Attributes) => void (span.attributes = { ...span.attributes, ...more }),
        end(error?: unknown) {
          span.ends++;
          span.error = error;
        },
      };
    },
  } as unknown as Tracing;
  const metrics = {
    isServed,
    modelCall: ({ operation }: { operation: string }, _: number, error: string | null) => reported.push(['call', operation, error]),
    modelTokens: (_: object, type: string, tokens: number) => reported.push([type, tokens]),
    suspiciousUsage: ({ model }: { model: string }) => reported.push(['suspicious', model]),
    modelFirstPart: () => reported.push(['first']),
    toolCall: (tool: string, _: number, error: string | null) => reported.push(['tool', tool, error]),
  } as unknown as Metrics;
  return { calls: new ModelCalls(tracing, metrics), reported, spans };
}

describe('a call to a model', () => {
  it('has a span that follows the OpenTelemetry conventions, with its usage and IDs', () => {
    const { calls, spans } = observing();
    calls.begin(chat).ended({ usage, responseModel: 'large-2026', responseId: 'r-1', finishReason: 'end_turn' });
    expect(spans).toEqual([
      {
        name: 'chat large',
        kind: 'client',
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': 'openai',
          'gen_ai.request.model': 'large',
          'parlance.model': 'our-large',
          'gen_ai.usage.input_tokens': 10,
          'gen_ai.usage.output_tokens': 2,
          'gen_ai.usage.cache_read.input_tokens': 4,
          'gen_ai.response.model': 'large-2026',
          'gen_ai.response.id': 'r-1',
          'gen_ai.response.finish_reasons': ['end_turn'],
        },
        ends: 1,
        error: undefined,
      },
    ]);
  });
  it('is measured once, even if it is ended again', () => {
    const { calls, reported, spans } = observing();
    const call = calls.begin(chat);
    call.firstPart();
    call.firstPart();
    call.ended({ usage });
    call.failed('cancelled', usage);
    expect([reported, spans[0]!.ends]).toEqual([[['first'], ['call', 'chat', null], ['input', 10], ['output', 2]], 1]);
  });
  it('reports the kind of the error and the usage if it failed', () => {
    const { calls, reported, spans } = observing();
    calls.begin(chat).failed('stream_broken', usage);
    calls.begin(embeddings).failed('provider_busy');
    expect(reported).toEqual([
      ['call', 'chat', 'stream_broken'],
      ['input', 10],
      ['output', 2],
      ['call', 'embeddings', 'provider_busy'],
    ]);
    expect(spans.map(({ attributes, error }) => [attributes['error.type'], (error as Error).message])).toEqual([
      ['stream_broken', 'stream_broken'],
      ['provider_busy', 'provider_busy'],
    ]);
  });
  it('is counted as suspicious if its provider reports an implausible number of tokens', () => {
    const { calls, reported } = observing();
    calls.begin(chat).ended({ usage: { ...usage, suspicious: true } });
    calls.begin(chat).failed('stream_broken', { ...usage, suspicious: true });
    expect(reported.filter(([what]) => what === 'suspicious')).toEqual([
      ['suspicious', 'large'],
      ['suspicious', 'large'],
    ]);
  });
  it('reports no output tokens for an embedding model', () => {
    const { calls, reported } = observing();
    calls.begin(embeddings).ended({ usage: { inputTokens: 7, outputTokens: 0 } });
    expect(reported).toEqual([
      ['call', 'embeddings', null],
      ['input', 7],
    ]);
  });
});

describe('a call to a tool', () => {
  it('has a span and a duration', () => {
    const { calls, reported, spans } = observing();
    calls.beginTool('calculator').ended();
    calls.beginTool('search').ended('timeout');
    expect(spans.map(({ name, attributes }) => [name, attributes['gen_ai.tool.name'], attributes['error.type']])).toEqual([
      ['execute_tool calculator', 'calculator', undefined],
      ['execute_tool search', 'search', 'timeout'],
    ]);
    expect(reported).toEqual([
      ['tool', 'calculator', null],
      ['tool', 'search', 'timeout'],
    ]);
  });
  it('is measured as "other" once there are too many names', () => {
    const { calls, reported } = observing();
    for (let count = 0; count < 250; count++) calls.beginTool(`tool-${count}`).ended();
    expect(new Set(reported.map(([, tool]) => tool)).size).toBe(201);
    expect(reported.at(-1)).toEqual(['tool', 'other', null]);
  });
});

describe('observing calls', () => {
  it.each([
    [true, false, true],
    [false, true, true],
    [false, false, false],
  ])('with traces %s and metrics %s is %s', (isRecorded, isServed, expected) =>
    expect(observing({ isRecorded, isServed }).calls.isObserved).toBe(expected),
  );
});
