import { Injectable } from '@nestjs/common';
import { ServiceCalls } from '@parlance/calls';
import { tokenIdOfSessions } from '@parlance/contracts';
import { newId } from '@parlance/event-store';
import { type ListedTool, type Tool, ToolSource, type ToolUser } from '@parlance/tools';
import { MessageFiles } from '../../adapters/files/message-files.ts';
import { Catalogue } from '../../adapters/pricing/catalogue.ts';
import { CREATE_IMAGE, CreateImage, NoImage } from '../../adapters/tools/create-image.ts';
import { groupsOf } from '../../adapters/tools/user-groups.ts';
import { NO_TERMS } from '../calls/allowed-models.ts';
import { type LineAnswer, LineCalls } from '../gateway/line-calls.ts';

/** Models of this family always answer with the bytes of an image, and refuse the field that asks for them. */
const ALWAYS_BYTES = /^gpt-image/;

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
  private async make(prompt: string, userId: string, signal: AbortSignal): Promise<Uint8Array> {
    const model = this.catalogue.imageModel;
    if (model === null) throw new NoImage('The installation has no model for images any more.');
    const provided = this.catalogue.entries.get(model)?.model ?? '';
    const body = { model, prompt, n: 1, ...(!ALWAYS_BYTES.test(provided) && { response_format: 'b64_json' }) };
    const groups = await groupsOf(this.calls, userId);
    const caller = { userId, tokenId: tokenIdOfSessions(userId), groups, terms: NO_TERMS };
    const request = { callId: newId(), endpoint: 'images/generations', caller, bytes: Buffer.from(JSON.stringify(body)), signal } as const;
    let answer: LineAnswer | null = null;
    await this.lines.run(request, async (kept) => void (answer = kept));
    return imageIn(answer!);
  }
}

function imageIn({ status, body }: LineAnswer): Uint8Array {
  const parsed = parsedOf(body);
  const image = parsed.data?.[0]?.b64_json;
  if (status === 200 && typeof image === 'string') return Buffer.from(image, 'base64');
  const { message } = parsed.error ?? {};
  throw new NoImage(typeof message === 'string' ? message : 'The provider has answered without an image.');
}

interface ImageAnswer {
  readonly data?: readonly { readonly b64_json?: unknown }[];
  readonly error?: { readonly message?: unknown };
}

function parsedOf(body: Buffer): ImageAnswer {
  try {
    return JSON.parse(body.toString()) as ImageAnswer;
  } catch {
    return {};
  }
}
