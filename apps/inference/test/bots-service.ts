import { Instant, type Refusal, refuse } from '@parlance/decider';
import { type CallerStatement, STATEMENT_HEADER } from '@parlance/http';
import type { ServiceUnderTest } from '@parlance/foundation/harness';

type Local = Parameters<ServiceUnderTest['host']['local']['enter']>[1];

export interface FakeChunk {
  readonly content: string;
  readonly source_id: string;
  readonly page_number?: number;
}

/** Stands in for the bots and identity services. `groups`: the groups of users. */
export class BotsService {
  /** The bot of all tests: its audience, and the results of a search. */
  owner = 'ann';
  group: string | null = null;
  isDeleted = false;
  /** IDs of bots that do not exist. */
  readonly unknown = new Set<string>();
  isAway = false;
  isIdentityAway = false;
  hasKnowledge = true;
  showsSources = true;
  /** Whether the permission includes the bot's part of the prompt, for a bot without knowledge. Replicas of earlier releases leave it out. */
  givesPrompts = false;
  /** Fields of the answer to a search that replicas of an older release do not have. */
  settings: object = {};
  chunks: readonly FakeChunk[] = [];
  /** The bot’s settings about its models. A replica of an earlier release leaves them out. */
  models: { readonly active_models?: readonly string[]; readonly default_model?: string | null } = {};
  /** Its title and description. */
  texts = { title: 'Guide', description: '' };
  readonly groups = new Map<string, readonly string[]>();
  /** The callers of searches, with their groups. */
  readonly searches: { readonly sub: string | null; readonly groups: readonly string[]; readonly query: string }[] = [];

  async enter({ host }: ServiceUnderTest): Promise<void> {
    type Body = { query: string; group?: string; bot_ids?: readonly string[] };
    type Call = { url: string; headers: Record<string, string>; payload?: string };
    const serving = (answer: (path: string, caller: CallerStatement, body: Body) => object | null, other?: Local): Local =>
      ({
        ready: async () => undefined,
        inject: async (call: Call) => {
          const caller = host.statements.verify(call.headers[STATEMENT_HEADER], Instant.ofMillis(Date.now()))!;
          try {
            const body = answer(call.url, caller, JSON.parse(call.payload ?? '{}') as Body);
            return body ? answered(200, body) : await (other as unknown as { inject(call: Call): Promise<object> }).inject(call);
          } catch (error) {
            const { code, message, kind } = error as Refusal;
            return answered(kind === 'missing' ? 404 : 503, { code, detail: message }, 'application/problem+json');
          }
        },
      }) as unknown as Local;
    await host.local.enter(
      'bots',
      serving((path, caller, { query, bot_ids = [] }) => {
        if (path === '/internal/bots/titles') return { titles: this.titlesOf(bot_ids) };
        if (path.endsWith('/seen?texts=true')) return { ...this.seen(caller), texts: this.texts };
        return isSeen(path) ? this.seen(caller, isPromptAsked(path)) : this.retrieve(caller, query);
      }),
    );
    // The keys of users are requested there, too.
    const accounts = serving((path, { sub }, { group }) => {
      if (path === '/internal/users/select') return { user_ids: this.membersOf(group!) };
      return path === '/user/me' ? { groups: this.groups.get(sub!) ?? [], enabled: true } : null;
    }, host.local.named('identity'));
    await host.local.enter('identity', accounts);
  }

  private titlesOf(ids: readonly string[]): Readonly<Record<string, string>> {
    return Object.fromEntries(ids.filter((id) => !this.unknown.has(id)).map((id) => [id, 'Guide']));
  }

  private membersOf(group: string): readonly string[] {
    if (this.isIdentityAway) throw refuse('unavailable', 'service_unavailable', 'The users cannot be read now.');
    return [...this.groups].filter(([, groups]) => groups.includes(group)).map(([userId]) => userId);
  }

  seen({ sub, groups }: CallerStatement, isPromptAsked = false): object {
    const isMember = this.group !== null && groups.includes(this.group);
    if (this.isDeleted || (sub !== this.owner && !isMember)) throw refuse('missing', 'bot_not_found', 'There is no such bot.');
    const prompt = isPromptAsked && this.givesPrompts && { prompt: this.hasKnowledge ? null : this.found() };
    return { id: 'b', owner_user_id: this.owner, ...this.models, ...prompt };
  }

  retrieve(caller: CallerStatement, query: string): object {
    this.searches.push({ sub: caller.sub, groups: caller.groups, query });
    if (this.isAway) throw refuse('unavailable', 'service_unavailable', 'The index cannot be read now.');
    this.seen(caller);
    return this.found();
  }

  private found(): object {
    return {
      display_retrieved_chunks: this.showsSources,
      instruction: 'Be brief.',
      has_knowledge: this.hasKnowledge,
      chunks: this.hasKnowledge ? this.chunks.map((chunk, index) => chunkOf(chunk, index + 1)) : [],
      timings: {},
      ...this.settings,
    };
  }
}

const isSeen = (path: string): boolean => path.split('?')[0]!.endsWith('/seen');
const isPromptAsked = (path: string): boolean => path.endsWith('?prompt=true');

const answered = (statusCode: number, body: object, type = 'application/json') => ({
  statusCode,
  headers: { 'content-type': type },
  payload: JSON.stringify(body),
});

const chunkOf = ({ content, source_id, page_number = 1 }: FakeChunk, rank: number) => ({
  id: `${source_id}-${rank}`,
  content,
  content_type: 'text',
  source: `${source_id}.pdf`,
  source_name: `${source_id}.pdf`,
  source_id,
  page_number,
  heading: null,
  rank,
  score: 1 / rank,
});
