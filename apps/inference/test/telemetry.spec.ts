import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UnrulyProvider } from '@parlance/chat-models/unruly-provider';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { freePort } from '@parlance/testing';
import request from 'supertest';
import { inference } from '../src/service.ts';
import { BotsService } from './bots-service.ts';

/** Occurs in the question, in the answer and in an error of the provider. */
const CANARY = 'kingfisher-7f3a';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

/** All telemetry that a process exports: traces, metrics and public events. */
describe('the telemetry of calls to models', () => {
  const traces: string[] = [];
  const collector = createServer((call, answer) => {
    void text(call).then((body) => {
      traces.push(body);
      answer.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  let provider: UnrulyProvider;
  let service: ServiceUnderTest;
  let [answer, computed, metrics, events] = ['', '', '', ''];
  const bots = new BotsService();

  const ask = (body: string, bot_id?: string) =>
    request(service.server)
      .post('/conversation')
      .set({ ...service.as('ann'), prefer: 'wait=10' })
      .send({ bot_id, message: { content: [{ content_type: 'text', body }] } });
  const spans = (): readonly Span[] =>
    traces.flatMap((body) =>
      (JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap((scope) => scope.spans),
      ),
    );
  const valuesOf = ({ attributes }: Span) => Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

  beforeAll(async () => {
    await new Promise<void>((resolve) => void collector.listen(0, '127.0.0.1', resolve));
    provider = await UnrulyProvider.open();
    const models = {
      extends: 'builtin',
      providers: { ours: { type: 'openai_compatible', base_url: provider.url } },
      models: [{ id: 'ours-large', provider: 'ours', model: 'large', context_window: 32_000 }],
    };
    const port = await freePort();
    service = await serviceUnderTest(inference, {
      PARLANCE_MODELS: JSON.stringify(models),
      PARLANCE_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      PARLANCE_METRICS_PORT: String(port),
    });
    await bots.enter(service);
    bots.hasKnowledge = false;
    provider.behave = () => ({ does: 'answer', text: ['It is ', CANARY], usage: { input: 10, output: 2 } });
    answer = (await ask(`Where is ${CANARY}?`)).body.message.content[0].body;
    const calls = [{ id: 'c1', name: 'calculator', input: JSON.stringify({ expression: '6*7' }) }];
    const answers = [{ text: ['Let me see.'], calls }, { text: [`It is 42, ${CANARY}.`] }];
    bots.settings = { tools: [{ name: 'calculator', approval: 'never' }] };
    provider.behave = () => ({ does: 'answer', usage: { input: 20, output: 3 }, ...answers.shift()! });
    computed = (await ask(`Compute for ${CANARY}.`, '01K0000000000000000000000B')).body.message.content.at(-1).body;
    provider.behave = () => ({ does: 'refuse', status: 400, body: `{"error":{"message":"${CANARY} is not allowed"}}` });
    await ask(`And where is ${CANARY} now?`);
    metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    events = JSON.stringify(await service.host.published.of('inference').then((log) => log!.after(0)));
    // The remaining spans are sent when the process stops.
    await service.stop();
  });
  afterAll(async () => {
    await provider.close();
    collector.close();
  });

  it('has a span for each call, with its tokens, in the trace of its request', () => {
    const [answered, , , refused] = spans().filter(({ name }) => name === 'chat large');
    expect(valuesOf(answered!)).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'ours',
      'gen_ai.request.model': 'large',
      'gen_ai.response.id': expect.any(String),
      'gen_ai.response.model': expect.any(String),
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 2,
      'parlance.model': 'ours-large',
    });
    expect(valuesOf(refused!)['error.type']).toBe('request_refused');
    const ofRequest = spans().filter(({ traceId }) => traceId === answered!.traceId);
    expect(ofRequest.map(({ name }) => name)).toEqual(expect.arrayContaining([expect.stringContaining('SubmitMessage'), 'chat large']));
  });
  it('has a span for each call of a tool', () => {
    const tool = spans().find(({ name }) => name === 'execute_tool calculator');
    expect(valuesOf(tool!)).toMatchObject({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'calculator' });
    expect(computed).toBe(`It is 42, ${CANARY}.`);
  });
  it('has the metrics of the conventions', () => {
    const labels = 'service="inference",gen_ai_operation_name="chat",gen_ai_provider_name="ours",gen_ai_request_model="large"';
    for (const line of [
      `gen_ai_client_operation_duration_seconds_count{${labels},error_type=""} 3`,
      `gen_ai_client_operation_duration_seconds_count{${labels},error_type="request_refused"} 1`,
      `gen_ai_client_operation_time_to_first_chunk_seconds_count{${labels}} 3`,
      `gen_ai_client_token_usage_sum{${labels},gen_ai_token_type="input"} 50`,
      `gen_ai_client_token_usage_sum{${labels},gen_ai_token_type="output"} 8`,
      'gen_ai_execute_tool_duration_seconds_count{service="inference",gen_ai_tool_name="calculator",error_type=""} 1',
    ])
      expect(metrics.split('\n')).toContain(line);
  });
  it('has no content, like public events', () => {
    expect([answer, traces.length > 0, metrics !== '', events !== '']).toEqual([`It is ${CANARY}`, true, true, true]);
    for (const exported of [...traces, metrics, events]) expect(exported).not.toContain(CANARY);
  });
});
