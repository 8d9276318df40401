import { RemoteRefused } from '../remote/failures.ts';
import { JsonCalls } from '../remote/json-calls.ts';
import type { Patience } from '../remote/remote-service.ts';
import { checkedChunks } from './http-retriever.ts';
import { type ImportedChunk, MOST_CHUNK_CHARACTERS } from './imported-retriever.ts';
import { MOST_RETRIEVAL_BYTES, RemoteRetriever } from './remote-retriever.ts';
import { isFields } from './retrieval-answer.ts';

export interface ParlanceRetrieverOptions {
  readonly name: string;
  /** Base URL of the other installation. */
  readonly url: string;
  readonly bot_id: string;
  /** A fixed access token. */
  readonly token: string | null;
  /** An account of the other installation. It signs in if there is no fixed token. */
  readonly email: string | null;
  readonly password: string | null;
  readonly patience?: Patience;
}

interface Session {
  readonly access_token: string;
  readonly refresh_token: string | null;
  readonly usedUntil: number;
}

/** A token is renewed this long before it expires, so that it does not expire during a request. */
const RENEWAL_MILLIS = 30_000;

/**
 * A bot of another Parlance installation, through its POST /bot/{id}/knowledge/search. Access tokens live for minutes, so an account signs in
 * once and its session is renewed.
 */
export class ParlanceRetriever extends RemoteRetriever {
  private readonly calls: JsonCalls;
  private session: Session | null = null;
  private signingIn: Promise<Session> | null = null;

  constructor(private readonly options: ParlanceRetrieverOptions) {
    super(`The knowledge base ${options.name}`, options.patience);
    this.calls = new JsonCalls(this.label, MOST_RETRIEVAL_BYTES);
  }

  protected async ask(query: string, limit: number, signal: AbortSignal): Promise<readonly ImportedChunk[]> {
    const { bot_id: bot, token } = this.options;
    const url = this.at(`/bot/${encodeURIComponent(bot)}/knowledge/search`);
    const bearer = token ?? (await this.accessToken(signal));
    try {
      const answer = await this.calls.post(url, { query, max_results: limit }, bearer, signal);
      return checkedChunks(this.label, shortened(answer), limit, 'content');
    } catch (error) {
      // The session may have been ended there. The next search signs in again.
      if (error instanceof RemoteRefused) this.session = null;
      throw error;
    }
  }

  private async accessToken(signal: AbortSignal): Promise<string> {
    if (this.session === null || this.session.usedUntil <= Date.now()) {
      // Concurrent searches share one sign-in, because a refresh token is valid once.
      this.signingIn ??= this.signIn(signal).finally(() => (this.signingIn = null));
      this.session = await this.signingIn;
    }
    return this.session.access_token;
  }

  private async signIn(signal: AbortSignal): Promise<Session> {
    const { email, password } = this.options;
    const refresh_token = this.session?.refresh_token ?? null;
    this.session = null;
    if (refresh_token !== null) {
      try {
        return sessionOf(this.label, await this.calls.post(this.at('/auth/refresh'), { refresh_token }, null, signal));
      } catch (error) {
        // The session was ended there. Start a new one.
        if (!(error instanceof RemoteRefused)) throw error;
      }
    }
    return sessionOf(this.label, await this.calls.post(this.at('/auth/sign-in'), { email, password }, null, signal));
  }

  private at(path: string): string {
    return this.options.url.replace(/\/+$/, '') + path;
  }
}

/** Chunks of another installation may be longer than a retrieval endpoint allows, up to whole documents. Only their beginning is used. */
function shortened(answer: unknown): unknown {
  const results = (answer as { results?: unknown } | null)?.results;
  if (!Array.isArray(results)) return answer;
  const cut = (content: unknown) => (typeof content === 'string' ? content.slice(0, MOST_CHUNK_CHARACTERS) : content);
  return { results: results.map((result: unknown) => (isFields(result) ? { ...result, content: cut(result['content']) } : result)) };
}

function sessionOf(label: string, answer: unknown): Session {
  const { access_token, refresh_token, expires_in } = (answer ?? {}) as Record<string, unknown>;
  if (typeof access_token !== 'string' || typeof expires_in !== 'number')
    throw new RemoteRefused(label, 'its answer to the sign-in does not have the expected form');
  return {
    access_token,
    refresh_token: typeof refresh_token === 'string' ? refresh_token : null,
    usedUntil: Date.now() + expires_in * 1_000 - RENEWAL_MILLIS,
  };
}
