import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { Caller, IdParam, LargeAnswer, PageQuery, PageTokens, SignedIn } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { type Sealed, Vault } from '@parlance/privacy';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { type CitedDocument, CITING_REPLIES_KEPT, DOCUMENTS_KEPT } from '../projections/messages/cited-documents.ts';
import { CitedDocuments, UsedChunksOfReplies } from '../projections/messages/used-chunks.ts';
import { type RelatedDocument, RelatedDocumentAnswer, RelatedDocumentsAnswer, type UsedChunk } from './answers.ts';
import { ownerKeyOf } from './caller-as-owner.ts';

/** The documents that the replies of a conversation cite. */
@Controller('conversation/:conversationId/related-documents')
export class RelatedDocumentsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly vault: Vault,
    private readonly tokens: PageTokens,
  ) {}

  @Get()
  @SignedIn()
  @LargeAnswer()
  @Summary(`List the last ${DOCUMENTS_KEPT} documents that a conversation cited, the most recently cited first.`)
  @Answers(200, RelatedDocumentsAnswer)
  @Refuses('invalid_next_token', 400)
  @Refuses('conversation_not_found', 404)
  @Refuses('busy', 503)
  async list(
    @Caller() caller: Caller,
    @IdParam('conversationId') conversationId: string,
    @Query() { limit, next_token }: PageQuery,
  ): Promise<RelatedDocumentsAnswer> {
    const documents = await this.documentsOf(conversationId, caller);
    const listing = { list: 'related-documents', conversationId };
    const after = next_token === undefined ? null : this.tokens.open<string>(listing, next_token);
    const rest = documents.slice(after === null ? 0 : documents.findIndex(({ source_id }) => source_id === after) + 1);
    const page = rest.slice(0, limit);
    const chunks = await this.queries.execute(new UsedChunksOfReplies(conversationId, [...new Set(page.map(latestReply))]));
    // The page ends early if the chunks of its replies are too many to read at once.
    const beyond = page.findIndex((document) => !chunks.has(latestReply(document)));
    const shown = beyond < 0 ? page : page.slice(0, beyond);
    const opened = new Map<string, readonly UsedChunk[]>();
    for (const [replyId, sealed] of chunks) opened.set(replyId, await this.open(sealed));
    const last = shown.at(-1);
    return {
      related_documents: shown.flatMap((document) => described(document, opened.get(latestReply(document))!)),
      next_token: last && shown.length < rest.length ? this.tokens.seal(listing, last.source_id) : null,
    };
  }

  @Get(':sourceId')
  @SignedIn()
  @LargeAnswer()
  @Summary(
    `Get the chunks of a document that the latest ${CITING_REPLIES_KEPT} replies cite. At most about 1 MiB of chunks of these replies is searched.`,
  )
  @Answers(200, RelatedDocumentAnswer)
  @Refuses('conversation_not_found', 404)
  @Refuses('document_not_found', 404)
  @Refuses('busy', 503)
  async document(
    @Caller() caller: Caller,
    @IdParam('conversationId') conversationId: string,
    @Param('sourceId') sourceId: string,
  ): Promise<RelatedDocumentAnswer> {
    const document = (await this.documentsOf(conversationId, caller)).find(({ source_id }) => source_id === sourceId);
    const replies = document ? await this.queries.execute(new UsedChunksOfReplies(conversationId, document.reply_ids)) : new Map();
    const chunks: RelatedDocumentAnswer['chunks'] = [];
    for (const [message_id, sealed] of replies)
      for (const chunk of await this.open(sealed)) if (chunk.source_id === sourceId) chunks.push({ ...chunk, message_id });
    const [first] = chunks;
    if (!first) throw refuse('missing', 'document_not_found', 'No reply of this conversation cites such a document.');
    return { source_id: sourceId, source: first.source, source_name: first.source_name, chunks };
  }

  private async documentsOf(conversationId: string, caller: Caller): Promise<readonly CitedDocument[]> {
    const documents = await this.queries.execute(new CitedDocuments(conversationId, ownerKeyOf(caller)));
    if (!documents) throw refuse('missing', 'conversation_not_found', 'There is no such conversation, or it is not yours to see.');
    return documents;
  }

  /** Empty if they were erased in the meantime. Lets other work run in between, because opening 256 KiB takes about 3 ms. */
  private async open(sealed: string): Promise<readonly UsedChunk[]> {
    if (isTurnOver()) await nextTurn();
    return (await this.vault.openJson<UsedChunk[]>(sealed as Sealed)) ?? [];
  }
}

const latestReply = ({ reply_ids }: CitedDocument): string => reply_ids[0]!;

function described({ source_id, reply_ids }: CitedDocument, chunks: readonly UsedChunk[]): RelatedDocument[] {
  const chunk = chunks.find((each) => each.source_id === source_id);
  return chunk ? [{ source_id, source: chunk.source, source_name: chunk.source_name, last_message_id: reply_ids[0]! }] : [];
}
