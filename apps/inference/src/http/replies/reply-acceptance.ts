import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ServiceCalls } from '@parlance/calls';
import { refuse } from '@parlance/decider';
import { type Caller, derivedId } from '@parlance/http';
import { type Seal, Shredded, SubjectMoved, Vault } from '@parlance/privacy';
import { Catalogue, type ModelsOfBot } from '../../adapters/pricing/catalogue.ts';
import { fromBot as readBot } from '../../adapters/from-bot.ts';
import type { RequestFile } from '../../adapters/files/file-reader.ts';
import type { CheckedFile } from '../../adapters/files/message-files.ts';
import { conversationSubject } from '../../commands/conversation-subject.ts';
import { NewFiles } from '../../commands/new-files.ts';
import { contentRequired, RequestReply } from '../../commands/request-reply.ts';
import { type Accepted, SubmitMessage } from '../../commands/submit-message.ts';
import type { ReplyParameters } from '../../domain/conversation-events.ts';
import { conversationIdTaken, conversationNotFound, refuseField } from '../../domain/conversation-refusals.ts';
import { titleByRule } from '../../domain/title-rule.ts';
import { type ClientTerms, textsOfTerms } from '../../workflows/client-terms.ts';
import { surfaceOf, TextGuardrails } from '../../workflows/guardrails/text-guardrails.ts';
import { type Content, filesOf, MAX_TEXT_BYTES, textOf } from '../bodies/message-body.ts';

/** A caller's request: for a reply to a message, for another reply to a message, or for the continuation of a reply. */
export interface ReplyRequest {
  /** Null starts a conversation. */
  readonly conversationId: string | null;
  readonly botId: string | null;
  /** From `@FreshId()`: a repeat of the request has the same ID. */
  readonly replyId: string;
  /** Null for the last message of the conversation. */
  readonly parentId: string | null;
  /** Empty for another reply, and for a continuation. */
  readonly content: readonly Content[];
  /** Undefined for the model of the bot, or of the installation. */
  readonly model: string | undefined;
  readonly reasoning: boolean;
  readonly continues: boolean;
  readonly parameters?: ReplyParameters;
  /** Further texts of a program for the prompt. */
  readonly terms?: ClientTerms | null;
  /** Replace the files of the content. */
  readonly files?: readonly RequestFile[];
  /** Whether a new conversation is temporary. */
  readonly temporary?: boolean;
  /** The project of a new conversation. */
  readonly projectId?: string | undefined;
  /** Turns the memory on or off for the conversation. */
  readonly memory?: boolean | undefined;
}

/** A reply that will be written. */
export interface AcceptedReply extends Accepted {
  /** The model of a message. Null for another reply and for a continuation. */
  readonly model: string | null;
  readonly conversationId: string;
  readonly replyId: string;
}

/** Used for the title of a message without a text. */
const namesOf = (files: readonly CheckedFile[]): string => files.flatMap(({ name }) => name ?? []).join(', ');

/** Accepts all requests for replies: by users, and by programs through published APIs. */
@Injectable()
export class ReplyAcceptance {
  constructor(
    private readonly commands: CommandBus,
    private readonly vault: Vault,
    private readonly catalogue: Catalogue,
    private readonly calls: ServiceCalls,
    private readonly files: NewFiles,
    private readonly guardrails: TextGuardrails,
  ) {}

  /** Throws the refusals of `POST /conversation`. */
  async accept(caller: Caller, request: ReplyRequest): Promise<AcceptedReply> {
    const { replyId, content, continues } = request;
    // A repeat of the request gets the same conversation and the same reply.
    const conversationId = request.conversationId ?? derivedId(replyId, 'conversation');
    if (continues && content.length > 0)
      throw refuseField('message.content', 'content_not_empty', 'With continue_generate the content must be empty.');
    if (content.length === 0 && request.conversationId === null) throw contentRequired();
    return { conversationId, replyId, ...(await this.record(caller, conversationId, request)) };
  }

  private async record(
    { userId, api }: Caller,
    conversationId: string,
    request: ReplyRequest,
  ): Promise<Pick<AcceptedReply, 'budgetWarning' | 'model'>> {
    const { botId, replyId, parentId, content, model: wanted, reasoning, continues, parameters, temporary, projectId, memory } = request;
    // The bots service decides whether the user may use the bot.
    const bot = botId === null ? null : await this.calls.get<ModelsOfBot>('bots', `/internal/bots/${botId}/seen?prompt=true`);
    const fromBot = bot?.prompt ? { fromBot: readBot(bot.prompt) } : {};
    const common = {
      userId,
      botId,
      replyId,
      parentId,
      reasoning,
      ...(parameters && { parameters }),
      ...(api && { api: { apiId: api.apiId, keyId: api.keyId } }),
      ...(temporary && { temporary }),
      ...(memory !== undefined && { memory }),
    };
    if (content.length === 0)
      return {
        ...(await this.commands.execute(new RequestReply(conversationId, { ...common, continues, model: wanted, bot }))),
        model: null,
      };
    const model = this.catalogue.requireModel(wanted, bot).id;
    const text = textOf(content);
    if (Buffer.byteLength(text) > MAX_TEXT_BYTES)
      throw refuseField('message.content', 'message_too_long', 'A message has at most 1 MiB of text.');
    await this.guardrails.refuseBlocked(surfaceOf(api?.apiId), [text, ...(request.terms ? textsOfTerms(request.terms) : [])]);
    const files = await this.files.checked(api?.keyId ?? userId, request.files ?? filesOf(content), model);
    const begins = request.conversationId === null;
    const accepted = await this.sealing(conversationId, { ...common, begins }, (seal) => {
      const sealed = request.terms && { terms: { opened: request.terms, sealed: seal.json(request.terms) } };
      const submitted = { ...common, begins, text, content: seal.text(text), model, files, ...sealed, ...fromBot };
      // Only a message without a parent can be the first of its conversation.
      const titled =
        parentId === null ? { ...submitted, title: seal.text(titleByRule(text.trim() === '' ? namesOf(files) : text)) } : submitted;
      return this.commands.execute(new SubmitMessage(conversationId, { ...titled, ...(projectId !== undefined && { projectId }) }, seal));
    });
    return { ...accepted, model };
  }

  /** If a conversation belongs to another user, or to an erased user, sealing fails before anything else. */
  private async sealing<Result>(
    conversationId: string,
    { userId, api, begins }: { readonly userId: string; readonly api?: object; readonly begins: boolean },
    work: (seal: Seal) => Promise<Result>,
  ): Promise<Result> {
    const subject = conversationSubject(conversationId, userId);
    try {
      return await (begins ? this.vault.sealingNew(subject, work) : this.vault.sealing(subject, work));
    } catch (error) {
      const isTaken = error instanceof SubjectMoved || (error instanceof Shredded && error.subject === subject.id);
      if (isTaken) throw api ? conversationNotFound() : conversationIdTaken();
      if (!(error instanceof Shredded)) throw error;
      throw api
        ? refuse('missing', 'not_published', 'There is no published API at this address.')
        : refuse('unauthenticated', 'invalid_token', 'This user was erased.');
    }
  }
}
