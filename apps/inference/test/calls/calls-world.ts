import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { newId } from '@parlance/event-store';
import type { CallCompleted } from '@parlance/contracts';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { inference } from '../../src/service.ts';
import { CallTargets } from '../../src/workflows/calls/routes/call-targets.ts';
import { MockProvider } from './mock-provider.ts';
import { routing } from './routing.ts';

const from = '2026-01-01T00:00:00Z';
const priced = { prices: [{ from, input: 1, output: 2, cache_read: 0.1 }], context_window: 32_000, max_output_tokens: 1_000 };

/** A provider that is silent for a second is given up. */
const inTime = { first_token_timeout_seconds: 1, token_timeout_seconds: 1 };

export interface CallAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly trailers: NodeJS.Dict<string>;
  readonly text: string;
}

/** The service with a provider of each dialect, which is the same server. */
export async function callsWorld(settings: Readonly<Record<string, string>> = {}) {
  const provider = await MockProvider.open();
  const models = {
    extends: 'builtin',
    providers: {
      ours: { type: 'openai_compatible', base_url: provider.url, api_key: 'sk-upstream', ...inTime },
      narrow: { type: 'openai_compatible', base_url: provider.url, max_concurrent_calls: 1, queue_timeout_seconds: 1 },
      ...routing.providers(provider.url),
      theirs: { type: 'anthropic', base_url: provider.url, api_key: 'sk-anthropic' },
    },
    models: [
      { id: 'gpt', provider: 'ours', model: 'gpt-upstream', ...priced },
      { id: 'narrow', provider: 'narrow', model: 'narrow-upstream', ...priced },
      ...routing.models,
      { id: 'claude', provider: 'theirs', model: 'claude-upstream', ...priced, prices: [{ ...priced.prices[0], web_search: 10 }] },
      { id: 'vectors', provider: 'ours', model: 'vectors-upstream', capabilities: ['embedding'], ...priced },
      { id: 'ranker', provider: 'ours', model: 'ranker-upstream', capabilities: ['rerank'], ...priced },
      { id: 'painter', provider: 'ours', model: 'painter-upstream', capabilities: ['image_generation'], ...priced },
      { id: 'voice', provider: 'ours', model: 'voice-upstream', capabilities: ['speech'], ...priced },
      { id: 'ear', provider: 'ours', model: 'ear-upstream', capabilities: ['transcription'], ...priced },
      { id: 'judge', provider: 'ours', model: 'judge-upstream', capabilities: ['moderation'], ...priced },
    ],
    routes: routing.routes,
  };
  const service: ServiceUnderTest = await serviceUnderTest(inference, {
    PARLANCE_MODELS: JSON.stringify(models),
    PARLANCE_GUARDRAILS: JSON.stringify([
      { id: 'projects', apply_to: ['published'], stage: 'output', action: 'block', detectors: ['words'], words: ['Project Aurora'] },
    ]),
    ...settings,
  });
  service.server.listen(0, '127.0.0.1');
  await once(service.server, 'listening');
  const { port } = service.server.address() as AddressInfo;

  const send = (
    path: string,
    headers: Record<string, string>,
    body: object | string | Buffer | null,
    method = body === null ? 'GET' : 'POST',
  ) => {
    const sent = request({
      port,
      host: '127.0.0.1',
      path,
      method,
      headers: { 'content-type': 'application/json', ...headers },
    });
    sent.end(body === null ? undefined : typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
    return sent;
  };
  const ask = async (
    path: string,
    headers: Record<string, string>,
    body: object | string | Buffer | null = null,
    method?: string,
  ): Promise<CallAnswer> => {
    const [answer] = await once(send(path, headers, body, method), 'response');
    return { status: answer.statusCode, headers: answer.headers, text: await text(answer), trailers: answer.trailers };
  };

  /** The public events of calls that have ended. */
  const completed = async (): Promise<readonly CallCompleted[]> =>
    (await service.published<CallCompleted>()).flatMap(({ type, data }) => (type === 'parlance.inference.call-completed.v1' ? [data] : []));
  /** A caller with a token of its own. */
  const caller = (terms: object = {}) => {
    const tokenId = newId();
    return { tokenId, headers: service.asModelsToken(tokenId, 'ann', terms) };
  };
  const chat = (headers: Record<string, string>, body: object | string = { model: 'gpt', messages: [] }) =>
    ask('/v1/chat/completions', headers, body);
  const recordOf = async ({ tokenId }: { readonly tokenId: string }) => (await completed()).filter(({ token_id }) => token_id === tokenId);
  /** What the service has learnt about models by the calls of earlier cases. */
  const forgetTargets = () => service.part(CallTargets)['all'].clear();
  /** Places or ends a hold. */
  const hold = async (step: 'place' | 'end', holdId: string, userId: string) =>
    ask(`/internal/holds/${step}`, service.asService('identity'), { hold_id: holdId, user_id: userId });
  const stop = async () => {
    await service.stop();
    await provider.close();
  };
  return { service, provider, send, ask, caller, chat, completed, recordOf, forgetTargets, hold, stop };
}

export type CallsWorld = Awaited<ReturnType<typeof callsWorld>>;

/** Status and code of a refusal, in either form. */
export function errorOf({ status, text: body }: Pick<CallAnswer, 'status' | 'text'>): [number, string] {
  const { error } = JSON.parse(body) as { error: { code: string } };
  return [status, error.code];
}

const minuteNow = () => Math.floor(performance.now() / 60_000);

/** Runs again if limits of a minute began again in between. */
export async function inOneMinute<Result>(run: () => Promise<Result>): Promise<Result> {
  const before = minuteNow();
  const result = await run();
  return minuteNow() === before ? result : run();
}
