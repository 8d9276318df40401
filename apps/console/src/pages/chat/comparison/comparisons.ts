import type { Ask } from '../live/ask.ts';

/** One of the compared models. Without a reply and an error, its reply is being requested. */
interface ComparedModel {
  readonly model: string;
  readonly replyId: string | null;
  /** Why the reply was not accepted. */
  readonly error: unknown;
}

/** One question to several models, until the user chooses the reply with which the chat continues. */
export interface Comparison {
  /** The ID of the first reply. */
  readonly id: string;
  /** Null until the server's ID of the question is known. */
  readonly questionId: string | null;
  readonly isReasoning: boolean;
  readonly botId: string | null;
  readonly models: readonly ComparedModel[];
}

interface Source {
  ask(request: Ask): Promise<{ readonly conversationId: string; readonly replyId: string }>;
  /** The ID of the message that a reply answers. */
  questionOf(conversationId: string, replyId: string): Promise<string>;
}

/** The number of comparisons that are kept while the user has not chosen a reply. */
const MOST_OPEN = 20;

/** The open comparisons of this page, by chat. The replies are siblings, so a reload shows them as versions of one reply. */
export class Comparisons {
  private readonly open = new Map<string, Comparison>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly source: Source) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  of(conversationId: string): Comparison | undefined {
    return this.open.get(conversationId);
  }

  /** Sends a message to the first model, and requests the replies of the others when it is stored. Rejects if it is not accepted. */
  async begin(request: Ask, models: readonly string[]): Promise<{ readonly conversationId: string; readonly replyId: string }> {
    const [first = null, ...others] = models;
    const begun = await this.source.ask({ ...request, model: first });
    const { conversationId, replyId: id } = begun;
    const { isReasoning, botId } = request;
    const compared = models.map((model) => ({ model, replyId: model === first ? id : null, error: null }));
    this.open.delete(conversationId);
    this.set(conversationId, { id, questionId: null, isReasoning, botId, models: compared });
    for (const model of others) void this.request(conversationId, model);
    return begun;
  }

  /** Requests a reply of one of the compared models, in place of its earlier one, unless one is already requested. */
  async again(conversationId: string, model: string): Promise<void> {
    const its = this.open.get(conversationId)?.models.find((each) => each.model === model);
    if (its && (its.replyId !== null || its.error !== null)) await this.request(conversationId, model);
  }

  /** The user has chosen a reply. The others stay in the chat. */
  close(conversationId: string): void {
    if (this.open.delete(conversationId)) this.notify();
  }

  /** Another user may sign in. */
  clear(): void {
    this.open.clear();
    this.notify();
  }

  private async request(conversationId: string, model: string): Promise<void> {
    const comparison = this.open.get(conversationId);
    if (!comparison) return;
    const { id, isReasoning, botId } = comparison;
    this.change(conversationId, id, model, { replyId: null, error: null });
    try {
      const questionId = comparison.questionId ?? (await this.source.questionOf(conversationId, id));
      const known = this.open.get(conversationId);
      // The user may have chosen a reply meanwhile. The others are not asked then.
      if (known?.id !== id) return;
      if (known.questionId === null) this.set(conversationId, { ...known, questionId });
      const { replyId } = await this.source.ask({ conversationId, botId, model, isReasoning, parentId: questionId, content: [] });
      this.change(conversationId, id, model, { replyId, error: null });
    } catch (error) {
      this.change(conversationId, id, model, { replyId: null, error });
    }
  }

  private change(conversationId: string, id: string, model: string, its: Omit<ComparedModel, 'model'>): void {
    const known = this.open.get(conversationId);
    // The comparison may have been closed, and another one begun.
    if (known?.id !== id) return;
    this.set(conversationId, { ...known, models: known.models.map((each) => (each.model === model ? { model, ...its } : each)) });
  }

  private set(conversationId: string, comparison: Comparison): void {
    this.open.set(conversationId, comparison);
    for (const oldest of this.open.keys()) {
      if (this.open.size <= MOST_OPEN) break;
      this.open.delete(oldest);
    }
    this.notify();
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}
