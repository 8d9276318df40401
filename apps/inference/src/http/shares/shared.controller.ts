import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { Instant, refuse } from '@parlance/decider';
import { Caller, inTurnOfLargeAnswer, OpenOrSignedIn, PageQuery, PageTokens, turnOfLargeAnswer } from '@parlance/http';
import { disposition } from '@parlance/object-store';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import type { FastifyReply } from 'fastify';
import { Catalogue } from '../../adapters/pricing/catalogue.ts';
import { MessageFiles } from '../../adapters/files/message-files.ts';
import { SharedConversations } from '../../workflows/shares/shared-conversations.ts';
import type { SnapshotMessage } from '../../workflows/shares/snapshot.ts';
import { SharedConversation, type SharedMessage, type SharedPart } from './share-answers.ts';
import { fileDamaged } from '../file-damaged.ts';

/** Headers of every answer about a link, including refusals, so that it is not cached, passed on or indexed. */
const PRIVATE = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' } as const;

/** The position at which an answer begins: the page of the snapshot, and the message on it. */
type SnapshotPosition = readonly [page: number, message: number];

/** `<page>.<message>.<file>`, which reveals nothing about the conversation. */
const FILE_ID = /^(\d{1,4})\.(\d{1,4})\.(\d{1,4})$/;

const SAVED_IMAGE = 'image';

/** Shared conversations, for callers who have their links. Reveals nothing about the owner and the conversation except what is shared. */
@Controller('shared/:token')
@OpenOrSignedIn()
export class SharedController {
  constructor(
    private readonly shared: SharedConversations,
    private readonly files: MessageFiles,
    private readonly tokens: PageTokens,
    private readonly catalogue: Catalogue,
  ) {}

  @Get()
  @Summary('Read a shared conversation. Links for signed-in users need an access token, public links do not.')
  @Answers(200, SharedConversation)
  @Refuses('invalid_next_token', 400)
  @Refuses('share_not_found', 404)
  @Refuses('busy', 503)
  async get(
    @Caller() caller: Caller | null,
    @Param('token') token: string,
    @Query() { limit, next_token }: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SharedConversation> {
    void reply.headers(PRIVATE);
    const row = await this.shared.of(token, caller);
    const listing = { list: 'shared', share: row.share_id };
    const [page, from] = next_token === undefined ? [0, 0] : this.tokens.open<SnapshotPosition>(listing, next_token);
    // After the checks of the link, so that strangers take no turns.
    await turnOfLargeAnswer(reply);
    const { messages } = await this.shared.page(row, page);
    const shown = messages.slice(from, from + limit);
    const end = from + shown.length;
    const next: SnapshotPosition | null = end < messages.length ? [page, end] : page + 1 < row.pages ? [page + 1, 0] : null;
    return {
      title: await this.shared.title(row),
      create_time: Instant.toSeconds(row.shared_at),
      expires_at: row.expires_at && Instant.toSeconds(row.expires_at),
      messages: shown.map((message, index) => messageOf(message, `${page}.${from + index}`, this.nameOf(message.model))),
      next_token: next && this.tokens.seal(listing, next),
    };
  }

  private nameOf(model: string): string {
    return this.catalogue.entries.get(model)?.name ?? model;
  }

  @Get('files/:fileId')
  @Summary('Download a file of a shared conversation. Its type is detected from the content, and browsers never render it as a page.')
  @Answers(200, { type: 'string', contentEncoding: 'binary' }, { mediaType: '*/*', description: 'The bytes of the file.' })
  @Refuses('share_not_found', 404)
  @Refuses('file_not_found', 404)
  @Refuses('file_damaged', 404)
  @Refuses('busy', 503)
  @Refuses('object_store_not_configured', 503)
  @Refuses('object_store_unavailable', 503)
  async file(
    @Caller() caller: Caller | null,
    @Param('token') token: string,
    @Param('fileId') fileId: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    void reply.headers(PRIVATE);
    const row = await this.shared.of(token, caller);
    const [page, message, index] = (FILE_ID.exec(fileId) ?? []).slice(1).map(Number);
    if (page === undefined || page >= row.pages) throw fileNotFound();
    const { messages } = await inTurnOfLargeAnswer(reply, () => this.shared.page(row, page));
    const file = messages[message!]?.files?.[index!];
    const body = file && (await this.files.open(row.conversation_id, file, file.details).catch(fileDamaged));
    if (!file || !body) throw fileNotFound();
    const name = file.details.name ?? `${SAVED_IMAGE}.${file.mediaType.slice('image/'.length)}`;
    void reply
      .status(200)
      .header('content-type', file.mediaType)
      .header('content-length', String(file.bytes))
      .header('content-disposition', disposition('', name))
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(body);
  }
}

function messageOf(
  { role, text, model, at, failed, files = [], chunks }: SnapshotMessage,
  messageId: string,
  model_name: string,
): SharedMessage {
  const parts = files.map(({ kind, mediaType: media_type, bytes: size, details }, index): SharedPart => {
    const its = { file_id: `${messageId}.${index}`, media_type, size };
    return kind === 'image' ? { content_type: 'image', ...its } : { content_type: 'attachment', file_name: details.name ?? '', ...its };
  });
  const texts = text === '' ? [] : [{ content_type: 'text', body: text } as const];
  return {
    role,
    status: failed ? 'failed' : 'completed',
    // A reply makes its files, and a question comes with them.
    content: role === 'user' ? [...parts, ...texts] : [...texts, ...parts],
    model,
    model_name,
    create_time: at,
    ...(chunks && { used_chunks: chunks.map((chunk) => ({ ...chunk })) }),
  };
}

const fileNotFound = () => refuse('missing', 'file_not_found', 'The share has no such file.');
