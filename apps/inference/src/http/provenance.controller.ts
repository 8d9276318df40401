import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Audited, AuditRecorder, Caller, IdParam, LargeAnswer, SignedIn } from '@parlance/http';
import { dollars } from '@parlance/money';
import { Answers, nameSchemas, Refuses, Summary } from '@parlance/openapi';
import { type Sealed, Vault } from '@parlance/privacy';
import { z } from 'zod';
import { messageNotFound } from '../domain/conversation-refusals.ts';
import { MessageById, type MessageInConversation } from '../projections/messages/message-by-id.ts';
import { messageKey } from '../projections/messages/message-rows.ts';
import { type ToolCallRow, type ToolRoundRow, ToolRoundsOf } from '../projections/messages/tool-calls.ts';
import { ProvenanceOf, type ProvenanceRow } from '../projections/messages/provenance.ts';
import { ownerKeyOf } from './caller-as-owner.ts';

const ADMIN_GROUP = 'Admin';

const Score = z.number().min(0).max(1).nullable();
const Millis = z.int().nullable();

export const ProvenanceAnswer = z.object({
  conversation_id: z.string(),
  message_id: z.string(),
  model: z.string(),
  provider: z.string().nullable().describe('Name of the provider. Null for a model that runs in Parlance.'),
  provider_model: z.string().nullable().describe('Model name at the provider.'),
  provider_request_id: z.string().nullable().describe("The provider's ID of the call. Null if there is none."),
  bot: z
    .object({ bot_id: z.string(), version: z.int().nullable().describe('Version in the history of the bot. Null for older replies.') })
    .nullable(),
  chunks: z
    .array(z.object({ rank: z.int(), id: z.string(), hash: z.string() }))
    .describe('The chunks in the prompt: the ID in the index, and the first 96 bits of the SHA-256 of the text, in base64url.'),
  memory_ids: z.array(z.string()).describe("The entries of the user's memory that were in the prompt, by ID, the newest first."),
  price_from: z
    .number()
    .nullable()
    .describe('When the price that was used became valid, in epoch seconds. Null for a model without a price.'),
  cost: z.number().nullable().describe('US dollars. Null for a reply that has not ended, or is from an earlier release.'),
  parameters: z
    .object({
      max_tokens: z.int(),
      temperature: z.number(),
      top_p: z.number(),
      top_k: z.int(),
      reasoning_budget_tokens: z.int(),
      stop_sequences: z.array(z.string()),
    })
    .partial()
    .describe('Parameters of the model call. The model used its defaults for the others.'),
  guardrail: z
    .object({
      by: z.enum(['builtin', 'bedrock']),
      verdict: z.enum(['passed', 'blocked', 'masked']),
      grounding: Score,
      relevance: Score,
      original: z.string().nullable().describe("The model's answer, if the guardrail replaced it. Only shown to administrators."),
    })
    .nullable(),
  policies: z
    .array(
      z.object({
        id: z.string(),
        stage: z.enum(['input', 'output']),
        action: z.enum(['flag', 'mask', 'block']),
        found: z.array(z.object({ detector: z.string(), count: z.int() })),
      }),
    )
    .describe('Policies of the installation that have found something in the message (`input`) or in the answer (`output`).'),
  original: z.string().nullable().describe("The model's answer, if the guardrail or a policy changed it. Only shown to administrators."),
  timings: z
    .object({ total: Millis, to_prompt: Millis, to_first_token: Millis, guardrail: Millis })
    .describe('Times of the worker that wrote the reply, in milliseconds. Null if not measured.'),
  tools: z
    .array(
      z.object({
        call_id: z.string(),
        name: z.string(),
        hash: z.string().describe('Hash of the arguments, with a secret salt.'),
        approval: z
          .enum(['pending', 'approved', 'denied', 'expired'])
          .nullable()
          .describe("The user's decision. Null for a call that needed no approval."),
        status: z.enum(['succeeded', 'failed', 'denied']).nullable().describe('Null while there is no result.'),
      }),
    )
    .describe('The tool calls in order.'),
  tries: z.int().describe('How many calls to providers were made for the reply, including the successful one.'),
});
export type ProvenanceAnswer = z.infer<typeof ProvenanceAnswer>;

nameSchemas({ Provenance: ProvenanceAnswer });

/** How a reply was produced. */
@Controller('conversation/:conversationId/:messageId/provenance')
export class ProvenanceController {
  constructor(
    private readonly queries: QueryBus,
    private readonly vault: Vault,
    private readonly audit: AuditRecorder,
  ) {}

  @Get()
  @SignedIn()
  @LargeAnswer()
  @Audited('view_provenance', 'conversation', 'conversationId')
  @Summary(
    'Get how a reply was produced: model, bot, chunks, price and guardrail. For its owner, and for administrators, whose reads are audited.',
  )
  @Answers(200, ProvenanceAnswer)
  @Refuses('message_not_found', 404)
  @Refuses('busy', 503)
  async provenance(
    @Caller() caller: Caller,
    @IdParam('conversationId') conversationId: string,
    @IdParam('messageId') messageId: string,
  ): Promise<ProvenanceAnswer> {
    const found = await this.queries.execute(new MessageById(conversationId, messageId));
    if (!found || found.message.role !== 'assistant') throw messageNotFound();
    const isOwner = found.conversation.holder === ownerKeyOf(caller);
    const isAdmin = caller.groups.includes(ADMIN_GROUP);
    if (!isOwner && !isAdmin) throw messageNotFound();
    const key = messageKey(conversationId, messageId);
    const [row, rounds] = [await this.queries.execute(new ProvenanceOf(key)), await this.queries.execute(new ToolRoundsOf(key))];
    // The guardrail withheld the original from the user.
    const original = row?.blocked === undefined || !isAdmin ? null : await this.vault.open(row.blocked as Sealed);
    if (!isOwner) await this.audit.viewed({ action: 'view_provenance', resourceType: 'conversation', resourceId: conversationId });
    return answerOf(found, row, rounds, original);
  }
}

const toolCallAnswer = ({ call_id, name, hash, approval, outcome }: ToolCallRow): ProvenanceAnswer['tools'][number] => ({
  call_id,
  name,
  hash,
  approval: approval ?? null,
  status: outcome ?? null,
});

function answerOf(
  { message, conversation }: MessageInConversation,
  row: ProvenanceRow | null,
  rounds: readonly ToolRoundRow[],
  original: string | null,
): ProvenanceAnswer {
  const { toPrompt = null, toFirstToken = null, guardrail = null } = row?.millis ?? {};
  return {
    conversation_id: message.conversation_id,
    message_id: message.message_id,
    model: message.model,
    provider: row?.provider ?? null,
    provider_model: row?.providerModel ?? null,
    provider_request_id: row?.requestId ?? null,
    bot: conversation.bot_id === null ? null : { bot_id: conversation.bot_id, version: row?.botVersion ?? null },
    chunks: (row?.chunks ?? []).map((chunk, index) => ({ rank: index + 1, ...chunk })),
    memory_ids: [...(row?.memories ?? [])],
    price_from: row?.priceFrom === undefined ? null : row.priceFrom / 1_000,
    cost: message.cost_nano_dollars === undefined ? null : dollars(message.cost_nano_dollars + (message.tools?.cost_nano_dollars ?? 0)),
    parameters: row?.parameters ?? {},
    guardrail: row?.guardrail ? { ...row.guardrail, original } : null,
    policies: (row?.policies ?? []).map(({ found, ...policy }) => ({
      ...policy,
      found: Object.entries(found).map(([detector, count]) => ({ detector, count })),
    })),
    original,
    timings: { total: message.took_millis ?? null, to_prompt: toPrompt, to_first_token: toFirstToken, guardrail },
    tools: rounds.flatMap(({ calls }) => calls.map(toolCallAnswer)),
    tries: rounds.reduce((sum, { tries }) => sum + tries, row?.tries ?? 1),
  };
}
