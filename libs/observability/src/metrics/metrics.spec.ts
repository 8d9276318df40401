import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StartState } from '../start-state.ts';
import { type MetricsExport, openMetrics, serveMetrics } from './metrics.ts';

describe('metrics', () => {
  let metrics: MetricsExport;
  let text: string;
  const start = new StartState();
  const get = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${metrics.port}${path}`, init);

  beforeAll(async () => {
    metrics = await serveMetrics(0, '127.0.0.1', start);
    const [bots, edge] = [metrics.for('bots'), metrics.for('edge')];
    bots.request('GET', '/bot/:id', 200, 0.003);
    bots.request('GET', '/bot/:id', 204, 0.3);
    edge.request('POST', '/bot', 503, 0.001);
    bots.handled('command', 'ExecuteBot', 'refused', 0.002);
    bots.eventStoreHead(() => 42);
    edge.eventStoreHead(() => Promise.resolve(7));
    bots.projections(() => [
      { projection: 'bots', behind: 3, seconds: 1.5, isStopped: true, parked: 2 },
      { projection: 'spend', behind: 0, seconds: 0, isStopped: false, parked: 0 },
    ]);
    bots.relayLag(() => ({ behind: 5, seconds: 0.5 }));
    bots.consumers(() => [{ group: 'bots', lag: [{ topic: 'parlance.identity', partition: 0, behind: 9 }] }]);
    bots.repliesOwed(() => 8);
    bots.deadLetters('bots', () => 1);
    bots.objectStore(() => true);
    edge.objectStore(() => Promise.resolve(false));
    bots.webhooks(() => [{ webhook: 'w', seconds: 4.5, pending: 3, dead: 2 }]);
    const chat = { operation: 'chat', provider: 'aws.bedrock', model: 'nova' } as const;
    bots.modelCall(chat, 0.5, null);
    bots.modelCall(chat, 0.5, 'provider_busy');
    bots.modelTokens(chat, 'input', 300);
    bots.modelFirstPart(chat, 0.07);
    bots.toolCall('calculator', 0.001, null);
    bots.modelTargets(() => [
      { model: 'nova', isUsable: true, calls: 3, firstByteSeconds: 0.25 },
      { model: 'titan', isUsable: false, calls: 0, firstByteSeconds: null },
    ]);
    bots.modelTargetCall('nova', 'answered');
    edge.breaker('inference', () => 'open');
    edge.breaker('bots', () => 'half_open');
    const broken = metrics.for('broken');
    broken.projections(() => Promise.reject(new Error('away')));
    broken.relayLag(() => {
      throw new Error('away');
    });
    text = await (await get('/metrics')).text();
  });
  afterAll(() => metrics.close());

  it.each([
    'parlance_http_request_duration_seconds_count{service="bots",method="GET",route="/bot/:id",status="2xx"} 2',
    'parlance_http_request_duration_seconds_bucket{le="0.005",service="bots",method="GET",route="/bot/:id",status="2xx"} 1',
    'parlance_http_request_duration_seconds_count{service="edge",method="POST",route="/bot",status="5xx"} 1',
    'parlance_handling_duration_seconds_count{service="bots",kind="command",name="ExecuteBot",outcome="refused"} 1',
    'parlance_event_store_head{service="bots"} 42',
    'parlance_event_store_head{service="edge"} 7',
    'parlance_projection_lag_events{service="bots",projection="bots"} 3',
    'parlance_projection_lag_seconds{service="bots",projection="bots"} 1.5',
    'parlance_projection_stopped{service="bots",projection="bots"} 1',
    'parlance_projection_stopped{service="bots",projection="spend"} 0',
    'parlance_projection_parked_keys{service="bots",projection="bots"} 2',
    'parlance_relay_lag_events{service="bots"} 5',
    'parlance_relay_lag_seconds{service="bots"} 0.5',
    'parlance_replies_owed{service="bots"} 8',
    'parlance_consumer_lag_events{service="bots",group="bots",topic="parlance.identity",partition="0"} 9',
    'parlance_dead_letters{service="bots",group="bots"} 1',
    'parlance_object_store_up{service="bots"} 1',
    'parlance_object_store_up{service="edge"} 0',
    'parlance_webhook_lag_seconds{service="bots",webhook="w"} 4.5',
    'parlance_webhook_pending_deliveries{service="bots",webhook="w"} 3',
    'parlance_webhook_dead_letters{service="bots",webhook="w"} 2',
    'gen_ai_client_operation_duration_seconds_count{service="bots",gen_ai_operation_name="chat",gen_ai_provider_name="aws.bedrock",gen_ai_request_model="nova",error_type=""} 1',
    'gen_ai_client_operation_duration_seconds_count{service="bots",gen_ai_operation_name="chat",gen_ai_provider_name="aws.bedrock",gen_ai_request_model="nova",error_type="provider_busy"} 1',
    'gen_ai_client_token_usage_bucket{le="256",service="bots",gen_ai_operation_name="chat",gen_ai_provider_name="aws.bedrock",gen_ai_request_model="nova",gen_ai_token_type="input"} 0',
    'gen_ai_client_token_usage_bucket{le="1024",service="bots",gen_ai_operation_name="chat",gen_ai_provider_name="aws.bedrock",gen_ai_request_model="nova",gen_ai_token_type="input"} 1',
    'gen_ai_client_operation_time_to_first_chunk_seconds_bucket{le="0.08",service="bots",gen_ai_operation_name="chat",gen_ai_provider_name="aws.bedrock",gen_ai_request_model="nova"} 1',
    'gen_ai_execute_tool_duration_seconds_count{service="bots",gen_ai_tool_name="calculator",error_type=""} 1',
    'parlance_model_target_usable{service="bots",model="nova"} 1',
    'parlance_model_target_usable{service="bots",model="titan"} 0',
    'parlance_model_target_calls_running{service="bots",model="nova"} 3',
    'parlance_model_target_first_byte_seconds{service="bots",model="nova"} 0.25',
    'parlance_model_target_calls_total{service="bots",model="nova",outcome="answered"} 1',
    'parlance_breaker_state{service="edge",breaker="inference"} 2',
    'parlance_breaker_state{service="edge",breaker="bots"} 1',
  ])('include %s', (line) => expect(text.split('\n')).toContain(line));

  it("include the process's own metrics once", () => {
    expect(text.match(/^nodejs_eventloop_lag_seconds /gm)).toHaveLength(1);
    expect(text.match(/^process_resident_memory_bytes /gm)).toHaveLength(1);
  });

  it.each([
    ['parlance_http_request_duration_seconds', '0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10'],
    ['parlance_handling_duration_seconds', '0.001 0.005 0.025 0.1 0.5 2.5 10'],
    ['gen_ai_client_operation_duration_seconds', '0.01 0.02 0.04 0.08 0.16 0.32 0.64 1.28 2.56 5.12 10.24 20.48 40.96 81.92'],
    ['gen_ai_client_operation_time_to_first_chunk_seconds', '0.001 0.005 0.01 0.02 0.04 0.06 0.08 0.1 0.25 0.5 0.75 1 2.5 5 7.5 10'],
    ['gen_ai_client_token_usage', '1 4 16 64 256 1024 4096 16384 65536 262144 1048576 4194304 16777216 67108864'],
  ])('count %s up to %s', (name, boundaries) => {
    const found = [...text.matchAll(new RegExp(`^${name}_bucket\\{le="([^"]+)"`, 'gm'))].map(([, boundary]) => boundary);
    expect([...new Set(found)]).toEqual([...boundaries.split(' '), '+Inf']);
  });

  it('leave out a source that fails', () => expect(text).not.toMatch(/broken/));

  it('are served only at /metrics', async () => {
    const statuses = await Promise.all([get('/metrics?x'), get('/'), get('/metrics/x'), get('/metrics', { method: 'POST' })]);
    expect(statuses.map(({ status }) => status)).toEqual([200, 404, 404, 404]);
    await Promise.all(statuses.map((response) => response.arrayBuffer()));
  });

  it('are served together with the state of the start, before the service listens', async () => {
    const state = async () => {
      const answer = await get('/health/start');
      return [answer.status, await answer.json()];
    };
    const reached = start.waitFor('broker');
    expect(await state()).toEqual([503, { status: 'error', details: { broker: { status: 'down', waiting_seconds: 0 } } }]);
    reached();
    expect(await state()).toEqual([503, { status: 'error', details: {} }]);
    start.started();
    expect(await state()).toEqual([200, { status: 'ok', details: {} }]);
  });

  it('report that their port is taken', async () => {
    await expect(openMetrics(metrics.port!, '127.0.0.1', start)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('are off at port 0', async () => {
    const off = await openMetrics(0, '127.0.0.1', start);
    const silent = off.for('bots');
    silent.request('GET', '/', 200, 1);
    silent.eventStoreHead(() => 1);
    silent.projections(() => []);
    silent.relayLag(() => ({ behind: 1, seconds: 1 }));
    silent.consumers(() => []);
    silent.repliesOwed(() => 1);
    silent.deadLetters('x', () => 1);
    silent.objectStore(() => true);
    silent.webhooks(() => []);
    silent.breaker('x', () => 'open');
    await off.close();
    expect([off.port, silent.isServed, metrics.for('bots').isServed]).toEqual([null, false, true]);
  });
});
