import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { baseUrlOf, wireAccessOf } from '@parlance/chat-models';
import { modelName, type ModelProvider } from '@parlance/config';
import { type CheckFailure, failedListing, notListed } from './listing-failures.ts';

const LONGEST_MILLIS = 15_000;
/** Bytes of the list of a provider with many models. It is parsed in one turn. */
const MOST_BYTES = 2 * 1024 * 1024;
const MOST_MODELS = 1_000;
const LONGEST_NAME = 100;

export interface ProviderModel {
  /** The provider's name of the model, for `model`. */
  readonly model: string;
  readonly name: string | null;
  readonly contextWindow: number | null;
}

export type Listing =
  | { readonly models: readonly ProviderModel[]; readonly isComplete: boolean; readonly latencyMillis: number }
  | { readonly failure: CheckFailure; readonly latencyMillis: number | null };

interface Connection {
  readonly settings: ModelProvider;
  readonly http: {
    get(url: string, request: { headers: Readonly<Record<string, string>>; signal: AbortSignal }): Promise<IncomingMessage>;
  };
}

/** Reads the lists of models that providers offer. A request needs the credentials, but costs nothing. */
@Injectable()
export class ProviderModels {
  /** `provider`: its ID. */
  async list(provider: string, { settings, http }: Connection): Promise<Listing> {
    const access = wireAccessOf(settings);
    if (!access || baseUrlOf(settings) === null) return { failure: notListed(provider), latencyMillis: null };
    const query = access.dialect === 'anthropic' ? `?limit=${MOST_MODELS}` : '';
    const signal = AbortSignal.timeout(LONGEST_MILLIS);
    const begunAt = performance.now();
    const elapsed = () => Math.round(performance.now() - begunAt);
    try {
      const answer = await http.get(`${access.baseUrl}/models${query}`, { headers: access.headers, signal });
      const status = answer.statusCode ?? 0;
      if (status >= 400) {
        answer.on('error', () => undefined).destroy();
        return { failure: failedListing(provider, status), latencyMillis: elapsed() };
      }
      const listed = modelsIn(JSON.parse(await textOf(answer)));
      return { ...listed, latencyMillis: elapsed() };
    } catch (error) {
      return { failure: failedListing(provider, error, signal.aborted), latencyMillis: elapsed() };
    }
  }
}

/** Thrown for an answer that is not a list of models. */
export class NotAList extends Error {
  override readonly name = 'NotAList';
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MOST_BYTES) {
      answer.destroy();
      throw new NotAList();
    }
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** Both OpenAI and Anthropic answer `{data: [{id, …}]}`. Other servers add names and context windows under several keys. */
function modelsIn(answer: unknown): { readonly models: readonly ProviderModel[]; readonly isComplete: boolean } {
  const { data, has_more: hasMore } = (answer ?? {}) as { data?: unknown; has_more?: unknown };
  if (!Array.isArray(data)) throw new NotAList();
  const known = new Map<string, ProviderModel>();
  for (const each of data as unknown[]) {
    const { id, display_name, name, ...rest } = (each ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof id !== 'string' || !modelName.test(id) || known.has(id)) continue;
    if (known.size === MOST_MODELS) return { models: [...known.values()], isComplete: false };
    const shown = [display_name, name].find((text): text is string => typeof text === 'string' && text !== '');
    known.set(id, { model: id, name: shown?.slice(0, LONGEST_NAME) ?? null, contextWindow: windowIn(rest) });
  }
  return { models: [...known.values()], isComplete: hasMore !== true };
}

function windowIn(fields: Readonly<Record<string, unknown>>): number | null {
  const found = ['context_length', 'context_window', 'max_model_len', 'max_input_tokens'].map((key) => fields[key]);
  return found.find((value): value is number => Number.isSafeInteger(value) && Number(value) > 0) ?? null;
}
