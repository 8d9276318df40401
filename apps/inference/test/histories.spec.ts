import { describe, expect, it } from '@jest/globals';
import { fold, Instant, Refusal } from '@parlance/decider';
import type { At, Change } from '@parlance/read-models';
import fc from 'fast-check';
import { conversation } from '../src/domain/conversation.ts';
import type { ConversationCommand } from '../src/domain/conversation-commands.ts';
import type { ConversationEvent, Usage } from '../src/domain/conversation-events.ts';
import { conversationList } from '../src/projections/conversation-list.ts';
import type { PendingReplyRow } from '../src/projections/messages/message-rows.ts';
import { messages } from '../src/projections/messages/messages.ts';

const usage: Usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };
const LEASE = 10;
/** Messages of one step of an erasure, so that a conversation takes several steps. */
const PAGE = 3;

/** One conversation, its rows, and the workers and erasers that act on it. */
class World {
  readonly log: ConversationEvent[] = [];
  readonly tables = new Map<string, Map<string, Record<string, unknown>>>();
  readonly accepted: string[] = [];
  /** Accepted replies that came without a message. */
  requested = 0;
  private running: { replyId: string; claim: string }[] = [];
  private readonly pages: { ids: string[]; isBegun: boolean }[] = [
    { ids: [], isBegun: false },
    { ids: [], isBegun: false },
  ];
  private now = 0;
  private ids = 0;

  rows(table: string): Map<string, Record<string, unknown>> {
    return this.tables.get(table) ?? this.tables.set(table, new Map()).get(table)!;
  }

  submit(hasRoom: boolean, place: number): void {
    const known = [...this.rows('messages').values()].map((row) => row['message_id'] as string);
    const parent = place < known.length ? { id: known[place]!, exists: true } : null;
    // IDs come from several processes, so their order differs from the order of the log.
    const [messageId, replyId] = [this.newId(place), this.newId(place * 7)];
    const claim = hasRoom ? this.claim() : null;
    const submit = { type: 'Submit', userId: 'ann', botId: null, content: 's1.x', model: 'm', messageId, replyId, parent, claim } as const;
    if (!this.execute(submit)) return;
    this.accepted.push(replyId);
    if (claim) this.running.push({ replyId, claim: claim.claim });
  }

  /** Requests another reply to a message of the user, or the continuation of a reply. */
  regenerate(hasRoom: boolean, place: number, continuing: boolean): void {
    const rows = [...this.rows('messages').values()];
    const questions = rows.filter((row) => row['role'] === 'user').map((row) => row['message_id'] as string);
    const replies = rows.filter((row) => row['role'] === 'assistant').map((row) => row['message_id'] as string);
    const message = { id: questions[place % Math.max(1, questions.length)] ?? 'none', exists: questions.length > 0 };
    const continues = continuing ? (replies[place % Math.max(1, replies.length)] ?? null) : null;
    const replyId = this.newId(place * 3);
    const claim = hasRoom ? this.claim() : null;
    if (!this.execute({ type: 'RequestReply', userId: 'ann', botId: null, replyId, message, continues, model: 'm', claim })) return;
    this.accepted.push(replyId);
    this.requested += 1;
    if (claim) this.running.push({ replyId, claim: claim.claim });
  }

  cancel(place: number): void {
    const replyId = this.accepted[place % Math.max(1, this.accepted.length)];
    if (replyId !== undefined) this.execute({ type: 'CancelReply', replyId, userId: 'ann' });
  }

  /** A worker extends its lease, perhaps after another has taken the reply over. */
  renew(place: number): void {
    const one = this.running[place % Math.max(1, this.running.length)];
    if (one) this.execute({ type: 'RenewClaim', ...one, leaseUntil: Instant.ofMillis(this.now + LEASE) });
  }

  /** Makes a change that affects no message: a title, a charge, feedback. */
  change(place: number): void {
    const reply = { id: this.accepted[place % Math.max(1, this.accepted.length)] ?? 'none', exists: true };
    const charge = { chargeId: this.newId(1), purpose: 'title', model: 'm', usage, costNanoDollars: 1 } as const;
    const of = { userId: 'ann', title: 's1.t' };
    if (place % 4 === 0) this.execute({ type: 'SetTitle', ...of });
    else if (place % 4 === 1) this.execute({ type: 'ProposeTitle', ...of, lastMessageId: reply.id, charge });
    else if (place % 4 === 2) this.execute({ type: 'RecordCharge', userId: 'ann', charge });
    else this.execute({ type: 'GiveFeedback', userId: 'ann', reply, thumbsUp: true, category: null, comment: null });
  }

  delete(): void {
    this.execute({ type: 'Delete', userId: 'ann' });
  }

  takePending(): void {
    for (const { reply_id: replyId, lease_until } of [...this.rows('owed_replies').values()] as unknown as PendingReplyRow[]) {
      if (lease_until > this.now) continue;
      const claim = this.claim();
      if (this.execute({ type: 'ClaimReply', replyId, now: Instant.ofMillis(this.now), ...claim }))
        this.running.push({ replyId, claim: claim.claim });
    }
  }

  end(place: number, isFailure: boolean): void {
    const [one] = this.running.splice(place % Math.max(1, this.running.length), 1);
    if (!one) return;
    this.execute(
      isFailure
        ? {
            type: 'FailReply',
            ...one,
            code: 'x',
            reason: 'y',
            partial: place % 3 === 0 ? { content: 's1.p', usage, costNanoDollars: 1 } : null,
          }
        : {
            type: 'CompleteReply',
            ...one,
            content: 's1.y',
            usage,
            costNanoDollars: 1,
            usedChunks: place % 2 === 0 ? { content: 's1.z', sourceIds: [`d${place}`, 'd'] } : null,
          },
    );
  }

  look(eraser: number): void {
    this.pages[eraser]!.ids = [...this.rows('messages').values()]
      .map((row) => row['message_id'] as string)
      .toSorted()
      .slice(0, PAGE);
  }

  erase(eraser: number): void {
    const page = this.pages[eraser]!;
    this.execute({ type: 'Erase', userId: 'ann', messageIds: page.ids, isBegun: page.isBegun });
    // Messages read before this step are not read again without another query.
    page.ids = [];
    page.isBegun = fold(conversation, this.log).removedTo !== undefined;
  }

  /** The process dies with all replies that it is writing. */
  crash(): void {
    this.running = [];
    for (const page of this.pages) Object.assign(page, { ids: [], isBegun: false });
  }

  tick(millis: number): void {
    this.now += millis;
  }

  private newId = (salt: number) => `${String(salt % 10)}${String(++this.ids).padStart(4, '0')}`;

  private claim = () => ({ claim: this.newId(0), leaseUntil: Instant.ofMillis(this.now + LEASE) });

  private execute(command: ConversationCommand): boolean {
    const decision = conversation.decide(command, fold(conversation, this.log));
    if (decision instanceof Refusal) return false;
    for (const event of decision) {
      this.log.push(event);
      const at = { stream: 'conversation-c', metadata: { at: this.now } } as unknown as At;
      for (const each of [messages, conversationList]) for (const change of each.changes(event, at)) this.apply(change);
    }
    return decision.length > 0;
  }

  private apply(change: Change): void {
    const rows = this.rows(change.table.name);
    const row = rows.get(change.key);
    if (change.op === 'put') rows.set(change.key, { ...change.row });
    else if (change.op === 'patch') Object.assign(row ?? {}, change.fields);
    else if (change.op === 'remove') rows.delete(change.key);
    else if (change.op === 'add') {
      const sums = Object.entries(change.amounts).map(([name, more]) => [name, Number(row?.[name] ?? 0) + more]);
      rows.set(change.key, { ...change.start, ...row, ...Object.fromEntries(sums) });
    } else if (change.op === 'update') {
      const after = change.change(row ?? null);
      if (after) rows.set(change.key, { ...after });
    } else throw new Error('no other change is made');
  }
}

const eraser = fc.constantFrom(0, 1);
const step: fc.Arbitrary<(world: World) => void> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.boolean(), fc.nat(12)).map(
      ([room, place]) =>
        (world: World) =>
          world.submit(room, place),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.nat(5), fc.boolean()).map(
      ([place, fails]) =>
        (world: World) =>
          world.end(place, fails),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.boolean(), fc.nat(12), fc.boolean()).map(
      ([room, place, continues]) =>
        (world: World) =>
          world.regenerate(room, place, continues),
    ),
  },
  { weight: 1, arbitrary: fc.nat(12).map((place) => (world: World) => world.cancel(place)) },
  { weight: 1, arbitrary: fc.nat(12).map((place) => (world: World) => world.renew(place)) },
  { weight: 1, arbitrary: fc.nat(12).map((place) => (world: World) => world.change(place)) },
  { weight: 2, arbitrary: fc.constant((world: World) => world.takePending()) },
  { weight: 2, arbitrary: fc.nat(LEASE).map((millis) => (world: World) => world.tick(millis)) },
  { weight: 1, arbitrary: fc.constant((world: World) => world.crash()) },
);
const erasing: typeof step = fc.oneof(
  { weight: 2, arbitrary: eraser.map((one) => (world: World) => world.look(one)) },
  { weight: 2, arbitrary: eraser.map((one) => (world: World) => world.erase(one)) },
  { weight: 1, arbitrary: fc.constant((world: World) => world.delete()) },
  { weight: 1, arbitrary: step },
);
const TABLES = ['messages', 'conversations', 'owed_replies', 'used_chunks', 'conversation_documents'];
const LISTED = ['listed_conversations', 'conversation_costs', 'message_branches', 'message_feedback', 'conversation_deletions'];

describe('in any order of messages, workers, cancellations, crashes, deletions and erasures', () => {
  it('each accepted reply ends once, and is charged at most once', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const world = new World();
        for (const one of steps) one(world);
        world.crash();
        for (let round = 0; world.rows('owed_replies').size > 0 && round < 5; round++) {
          world.tick(LEASE);
          world.takePending();
          for (let left = world.accepted.length; left > 0; left--) world.end(0, false);
        }
        const ends = world.log.filter((event) => event.type === 'ReplyCompleted' || event.type === 'ReplyFailed');
        expect(ends.map(({ replyId }) => replyId).toSorted()).toEqual(world.accepted.toSorted());
        expect([...world.rows('messages').values()].filter((row) => row['status'] === 'processing')).toEqual([]);
        const charges = world.log.flatMap((event) =>
          event.type === 'ReplyCompleted' ? [event.replyId] : event.type === 'TokensCharged' ? [event.chargeId] : [],
        );
        expect(new Set(charges).size).toBe(charges.length);
      }),
      { numRuns: 300 },
    );
  });

  it('an erasure leaves no rows, whatever is interrupted, and counts each message once', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.array(erasing, { maxLength: 40 }), (before, during) => {
        const world = new World();
        for (const one of [...before, ...during]) one(world);
        const { length } = world.accepted;
        for (let round = 0; round < length + 3; round++) {
          world.look(0);
          world.erase(0);
        }
        for (const table of [...TABLES, ...LISTED]) expect([...world.rows(table).keys()]).toEqual([]);
        const count = world.accepted.length * 2 - world.requested;
        const isDeletion = world.log.some((event) => event.type === 'ConversationErasureBegun' && event.deleted);
        const expected = length === 0 || isDeletion ? undefined : { user_id: 'ann', conversations: 1, messages: count };
        if (isDeletion) expect(fold(conversation, world.log).deleted).toBe(count);
        expect(world.rows('erased_content').get('ann')).toEqual(expected);
        const ends = world.log.flatMap((event) => (event.type === 'ReplyCompleted' || event.type === 'ReplyFailed' ? [event.replyId] : []));
        expect(new Set(ends).size).toBe(ends.length);
      }),
      { numRuns: 300 },
    );
  });
});
