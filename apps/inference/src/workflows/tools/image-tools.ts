import { Injectable } from '@nestjs/common';
import { ServiceCalls } from '@parlance/calls';
import { tokenIdOfSessions } from '@parlance/contracts';
import { newId } from '@parlance/event-store';
import { type ListedTool, type Tool, ToolSource, type ToolUser } from '@parlance/tools';
import { MessageFiles } from '../../adapters/files/message-files.ts';
import { Catalogue } from '../../adapters/pricing/catalogue.ts';
import { CHARGED_WITHOUT_IMAGE, CREATE_IMAGE, CreateImage, NoImage, notMade } from '../../adapters/tools/create-image.ts';
import { groupsOf } from '../../adapters/tools/user-groups.ts';
import { NO_TERMS } from '../calls/allowed-models.ts';
import { type LineAnswer, LineCalls } from '../gateway/line-calls.ts';

/** The largest image in base64, and what is around it. */
const MOST_BYTES = 6 * 1024 * 1024;
/** Some models always answer with the bytes of the image, and refuse the field that asks for them. */
const IN_BYTES = { response_format: 'b64_json' };
const REFUSED_FIELD = Object.keys(IN_BYTES)[0]!;

/** Offers the tool that makes images, if the catalogue has a model for it and files can be stored. */
@Injectable()
export class ImageTools extends ToolSource {
  private readonly tool = new CreateImage((prompt, userId, signal) => this.make(prompt, userId, signal));

  constructor(
    private readonly catalogue: Catalogue,
    private readonly files: MessageFiles,
    private readonly lines: LineCalls,
    private readonly calls: ServiceCalls,
  ) {
    super();
  }

  /** Programs that call a published bot get text. */
  override async find(names: readonly string[], { apiId }: ToolUser): Promise<readonly Tool[]> {
    return this.isThere && apiId === undefined && names.includes(CREATE_IMAGE) ? [this.tool] : [];
  }

  override async list(): Promise<readonly ListedTool[]> {
    const { definition, writes } = this.tool;
    return this.isThere ? [{ name: CREATE_IMAGE, description: definition.description, writes }] : [];
  }

  private get isThere(): boolean {
    return this.catalogue.imageModel !== null && this.files.areStored;
  }

  /** A call of the model by the user, who is charged. Rejects with `NoImage`, and with the refusals of a direct call. */
  private async make(prompt: string, userId: string, signal: AbortSignal): Promise<string> {
    const model = this.catalogue.imageModel;
    if (model === null) throw new NoImage(notMade('The installation no longer has a model for images.'));
    // An image that cannot be stored would be paid for and lost.
    await this.files.requireAvailable();
    const groups = await groupsOf(this.calls, userId);
    const caller = { userId, tokenId: tokenIdOfSessions(userId), groups, terms: NO_TERMS };
    const ask = async (more: object): Promise<LineAnswer> => {
      const bytes = Buffer.from(JSON.stringify({ model, prompt, n: 1, ...more }));
      let answer: LineAnswer | null = null;
      const line = { callId: newId(), endpoint: 'images/generations', caller, bytes, signal, mostBytes: MOST_BYTES } as const;
      await this.lines.run(line, async (kept) => void (answer = kept));
      return answer!;
    };
    const first = await ask(IN_BYTES);
    // A refusal is not charged.
    return imageIn(first.status === 400 && first.body.includes(REFUSED_FIELD) ? await ask({}) : first);
  }
}

function imageIn({ status, body }: LineAnswer): string {
  // An image is ASCII. Decoding 6 MB as UTF-8 takes more than 8 ms.
  const { data, error } = parsedOf(body, status === 200 ? 'latin1' : 'utf8');
  const image = data?.[0]?.b64_json;
  if (status === 200 && typeof image === 'string') return image;
  if (status === 200 || error?.code === 'answer_too_large') throw new NoImage(CHARGED_WITHOUT_IMAGE);
  throw new NoImage(notMade(typeof error?.message === 'string' ? error.message : `The provider has answered with the status ${status}.`));
}

interface ImageAnswer {
  readonly data?: readonly { readonly b64_json?: unknown }[];
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
}

function parsedOf(body: Buffer, encoding: BufferEncoding): ImageAnswer {
  try {
    return JSON.parse(body.toString(encoding)) as ImageAnswer;
  } catch {
    return {};
  }
}
