import { describe, expect, it } from '@jest/globals';
import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { ChatModel, Produced, Prompt } from '@parlance/chat-models';
import type { Clock } from '@parlance/foundation';
import { type Refusal, refuse } from '@parlance/decider';
import { Shredded, type Vault } from '@parlance/privacy';
import type { Logger } from 'pino';
import type { Catalogue } from '../adapters/pricing/catalogue.ts';
import type { Config, GuardrailPolicy } from '@parlance/config';
import { TextGuardrails } from './guardrails/text-guardrails.ts';
import type { ReplyReservations } from '../commands/reply-reservations.ts';
import type { ExecuteConversation } from '../commands/aggregates.ts';
import type { ListedConversationRow } from '../projections/conversation-list.ts';
import { TitleProposals } from './title-proposals.ts';

const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };
const end: Produced = { type: 'end', stopReason: 'end_turn', usage, requestId: null };
const row = { conversation_id: 'c', user_id: 'ann', last_message_id: '01K0000000000000000000000A' } as ListedConversationRow;
const model = (generate: () => AsyncIterable<Produced>) => ({ generate }) as unknown as ChatModel;

/** Proposals over a conversation with one long message. Texts are not sealed. */
function proposals(chat: ChatModel | null, { refusal, isDeleted = false }: { refusal?: Refusal; isDeleted?: boolean } = {}) {
  const reserved: string[] = [];
  const reservations = {
    reserveCall: async () => {
      if (refusal) throw refusal;
      return { doubt: () => reserved.push('doubt'), release: () => reserved.push('release') };
    },
  };
  const commands: InstanceType<typeof ExecuteConversation>[] = [];
  const prompts: Prompt[] = [];
  const watched = chat && {
    generate(prompt: Prompt, signal: AbortSignal, onCall: () => void) {
      prompts.push(prompt);
      onCall();
      return chat.generate(prompt, signal);
    },
  };
  const catalogue = {
    titleModel: watched && 'titles',
    answering: () => watched,
    cost: () => 7,
    windowOf: () => ({ contextWindow: 8_192, maxOutputTokens: null }),
  };
  const seal = { text: (plain: string) => plain, companions: [] };
  const vault = {
    open: async (text: string) => text,
    openOften: async (text: string) => text,
    sealing: async (_: unknown, work: (its: typeof seal) => unknown) => {
      if (isDeleted) throw new Shredded('conversation:c');
      return work(seal);
    },
  };
  const question = `How do birds fly? ${'x'.repeat(100_000)}`;
  const proposing = new TitleProposals(
    { execute: async (command: never) => commands.push(command) } as unknown as CommandBus,
    { execute: async () => ({ question, answer: 'With wings.' }) } as unknown as QueryBus,
    vault as unknown as Vault,
    catalogue as unknown as Catalogue,
    reservations as unknown as ReplyReservations,
    new TextGuardrails({ guardrails: [] as readonly GuardrailPolicy[] } as Config, { guardrail: () => undefined }),
    { now: () => 0 } as unknown as Clock,
    { warn: () => undefined } as unknown as Logger,
  );
  return { titleOf: () => proposing.titleOf(row), commands: () => commands.map(({ command }) => command), prompts, reserved };
}

describe('proposing a title', () => {
  it('asks the model with the beginning of the first exchange, and charges the answer', async () => {
    const { titleOf, commands, prompts } = proposals(
      model(async function* () {
        yield { type: 'text', text: '"The Flight of ' };
        yield { type: 'text', text: 'Birds"' };
        yield end;
      }),
    );
    expect(await titleOf()).toBe('The Flight of Birds');
    expect(commands()).toMatchObject([
      { type: 'ProposeTitle', title: 'The Flight of Birds', charge: { purpose: 'title', usage, costNanoDollars: 7 } },
    ]);
    expect(prompts[0]!.turns[0]!.text.length).toBeLessThan(10_000);
    expect(prompts[0]!.turns[0]!.text).toContain('With wings.');
  });
  it('uses the first words and charges nothing without a model for titles', async () => {
    const { titleOf, commands } = proposals(null);
    expect([await titleOf(), commands()]).toEqual(['How do birds fly?', []]);
  });
  it('charges the model that answered, and each call that failed before', async () => {
    const { titleOf, commands } = proposals(
      model(() =>
        streamOf([
          { type: 'begin', model: 'other', charges: [{ model: 'titles', usage }] } as unknown as Produced,
          { type: 'text', text: 'Flight' },
          end,
        ]),
      ),
    );
    expect(await titleOf()).toBe('Flight');
    expect(commands()).toMatchObject([
      { type: 'RecordCharge', charge: { model: 'titles' } },
      { type: 'ProposeTitle', charge: { model: 'other' } },
    ]);
  });
  it.each(['limited', 'unavailable'] as const)('uses the first words, and calls nothing, if a budget is %s', async (kind) => {
    const refusal = refuse(kind, 'budget_exceeded', 'The budget is used up.');
    const { titleOf, commands, prompts } = proposals(
      model(() => streamOf([{ type: 'text', text: 'Flight' }, end])),
      { refusal },
    );
    expect([await titleOf(), commands(), prompts]).toEqual(['How do birds fly?', [], []]);
  });
  it('keeps the possible cost of the call reserved', async () => {
    const { titleOf, reserved } = proposals(model(() => streamOf([{ type: 'text', text: 'Flight' }, end])));
    await titleOf();
    // Only the first settlement counts.
    expect(reserved[0]).toBe('doubt');
  });
  it('is charged when the conversation was deleted while the model was asked', async () => {
    const { titleOf, commands } = proposals(
      model(() => streamOf([{ type: 'text', text: 'Flight' }, end])),
      { isDeleted: true },
    );
    await expect(titleOf()).rejects.toMatchObject({ code: 'conversation_not_found' });
    expect(commands()).toMatchObject([{ type: 'RecordCharge', charge: { purpose: 'title', usage } }]);
  });
  it('uses the first words when the model fails at once, and charges nothing', async () => {
    const { titleOf, commands } = proposals(model(() => streamOf([])));
    expect([await titleOf(), commands()]).toEqual(['How do birds fly?', []]);
  });
  it('uses the first words when the stream ends too early, and charges its output', async () => {
    const { titleOf, commands } = proposals(model(() => streamOf([{ type: 'text', text: 'The Fl' }])));
    expect(await titleOf()).toBe('How do birds fly?');
    expect(commands()).toMatchObject([{ type: 'RecordCharge', charge: { purpose: 'title', usage: { estimated: true } } }]);
  });
  it('charges the usage that a failed call reported', async () => {
    const reported = Object.assign(new Error('it broke'), { usage, charges: [{ model: 'titles', usage }] });
    const { titleOf, commands } = proposals(
      model(async function* () {
        yield { type: 'text', text: 'The Fl' };
        throw reported;
      }),
    );
    expect(await titleOf()).toBe('How do birds fly?');
    expect(commands()).toMatchObject([{ type: 'RecordCharge', charge: { model: 'titles', usage } }]);
  });
  it('charges the prompt of a call that took too long', async () => {
    const { titleOf, commands } = proposals(
      // eslint-disable-next-line require-yield -- it ends before its first token
      model(async function* () {
        throw new DOMException('It took too long.', 'TimeoutError');
      }),
    );
    expect(await titleOf()).toBe('How do birds fly?');
    expect(commands()).toMatchObject([{ type: 'RecordCharge', charge: { usage: { estimated: true, outputTokens: 0 } } }]);
  });
  it('charges an answer without words, and uses the first words', async () => {
    const { titleOf, commands } = proposals(model(() => streamOf([{ type: 'text', text: '"..."' }, end])));
    expect(await titleOf()).toBe('How do birds fly?');
    expect(commands()).toMatchObject([{ type: 'RecordCharge', charge: { usage } }]);
  });
});

/** Produces these parts, and fails if the end is missing. */
async function* streamOf(parts: readonly Produced[]): AsyncIterable<Produced> {
  yield* parts;
  if (parts.at(-1)?.type !== 'end') throw new Error('the provider broke the stream');
}
