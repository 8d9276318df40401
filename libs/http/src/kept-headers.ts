import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';

/** Names in lower case, each followed by its value. */
export type HeaderList = readonly string[];

/** Headers that are written as one text. They are validated when the block is made, not for each answer. */
export interface HeaderBlock {
  /** In lower case. */
  readonly names: ReadonlySet<string>;
  readonly first: string;
  readonly list: HeaderList;
  /** The headers as written in the head of an answer. */
  readonly text: string;
}

type HeadersOfWriteHead = OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined;
/** Node's internal function that writes the head of every answer. */
type StoreHeader = (firstLine: string, headers: unknown) => void;

const CAPITAL = /[A-Z]/;
/** Headers on which Node acts, besides writing them. */
const NODE_ACTS_ON: ReadonlySet<string> = new Set([
  'connection',
  'content-disposition',
  'content-length',
  'date',
  'expect',
  'keep-alive',
  'trailer',
  'transfer-encoding',
]);

const { _storeHeader: storeHeader } = ServerResponse.prototype as unknown as { _storeHeader: StoreHeader };

/**
 * A response with default headers, which the answering code can override. They are kept until the head is written. With `setHeader`, Node would
 * check each of them for each answer, and store it twice.
 */
export class KeepingResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  private lists: HeaderList[] = [];
  private blocks: HeaderBlock[] = [];
  private later: ((status: number) => HeaderBlock) | null = null;
  /** The blocks' text, which follows the first line of the head. */
  private text = '';
  /** True while Node writes the head, with all default headers, and calls methods of this class. */
  private isWriting = false;

  /** Replaces an earlier list that begins with the same name. */
  keep(list: HeaderList): void {
    const { lists } = this;
    let index = 0;
    while (index < lists.length && lists[index]![0] !== list[0]) index++;
    lists[index] = list;
  }

  /** Replaces an earlier block that begins with the same name. */
  keepBlock(block: HeaderBlock): void {
    const { blocks } = this;
    let index = 0;
    while (index < blocks.length && blocks[index]!.first !== block.first) index++;
    blocks[index] = block;
  }

  /** Adds the block that this function returns for the status of the answer, when the head is written. */
  keepLater(block: (status: number) => HeaderBlock): void {
    this.later = block;
  }

  override writeHead(status: number, reason?: string | HeadersOfWriteHead, headers?: HeadersOfWriteHead): this {
    if (this.later !== null && !this.headersSent) this.keepBlock(this.later(status));
    const own = typeof reason === 'string' ? headers : (headers ?? reason);
    const list = Array.isArray(own) || super.getHeaderNames().length > 0 ? null : this.listWith(own);
    if (list === null) {
      this.setKept();
      return super.writeHead(status, reason as string, headers);
    }
    this.isWriting = true;
    try {
      return typeof reason === 'string' ? super.writeHead(status, reason, list) : super.writeHead(status, list);
    } finally {
      // Even if Node has refused the head.
      [this.text, this.isWriting] = ['', false];
    }
  }

  /** Called by Node for each head. */
  protected _storeHeader(firstLine: string, headers: unknown): void {
    storeHeader.call(this, firstLine + this.text, headers);
  }

  override getHeader(name: string): OutgoingHttpHeader | undefined {
    return super.getHeader(name) ?? this.keptValue(name);
  }

  override hasHeader(name: string): boolean {
    return super.hasHeader(name) || this.keptValue(name) !== undefined;
  }

  override getHeaders(): OutgoingHttpHeaders {
    this.setKept();
    return super.getHeaders();
  }

  override getHeaderNames(): string[] {
    this.setKept();
    return super.getHeaderNames();
  }

  override removeHeader(name: string): void {
    this.setKept();
    super.removeHeader(name);
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    this.setKept();
    return super.appendHeader(name, value);
  }

  /** The headers of the head as a flat list, which Node writes without an object. Null if a given name is not in lower case, because names are compared in lower case. */
  private listWith(own: OutgoingHttpHeaders | undefined): OutgoingHttpHeader[] | null {
    const all: OutgoingHttpHeader[] = [];
    let text = '';
    for (const block of this.blocks) {
      if (hasAny(own, block.names)) addOthers(all, block.list, own);
      else text += block.text;
    }
    for (const list of this.lists) addOthers(all, list, own);
    for (const name in own) {
      if (CAPITAL.test(name)) return null;
      all.push(name, own[name] as OutgoingHttpHeader);
    }
    this.text = text;
    return all;
  }

  private keptValue(name: string): string | undefined {
    const wanted = name.toLowerCase();
    for (const list of this.all) {
      for (let index = 0; index < list.length; index += 2) if (list[index] === wanted) return list[index + 1];
    }
    return undefined;
  }

  private get all(): readonly HeaderList[] {
    return [...this.blocks.map(({ list }) => list), ...this.lists];
  }

  private setKept(): void {
    if (this.headersSent || this.isWriting) return;
    const { all } = this;
    [this.blocks, this.lists] = [[], []];
    for (const list of all)
      for (let index = 0; index < list.length; index += 2) {
        const name = list[index] as string;
        if (!super.hasHeader(name)) super.setHeader(name, list[index + 1] as string);
      }
  }
}

function hasAny(own: OutgoingHttpHeaders | undefined, names: ReadonlySet<string>): boolean {
  for (const name in own) if (names.has(name)) return true;
  return false;
}

function addOthers(all: OutgoingHttpHeader[], list: HeaderList, own: OutgoingHttpHeaders | undefined): void {
  for (let index = 0; index < list.length; index += 2) {
    const name = list[index] as string;
    if (own?.[name] === undefined) all.push(name, list[index + 1] as string);
  }
}

/** Sets default headers of a response, which the answering code can override. */
export function keepHeaders(res: ServerResponse, list: HeaderList): void {
  if (res instanceof KeepingResponse) res.keep(list);
  else for (let index = 0; index < list.length; index += 2) res.setHeader(list[index] as string, list[index + 1] as string);
}

/** Like `keepHeaders`, for headers that many answers have. */
export function keepBlock(res: ServerResponse, block: HeaderBlock): void {
  if (res instanceof KeepingResponse) res.keepBlock(block);
  else keepHeaders(res, block.list);
}

/** Like `keepBlock`, for headers that depend on the status. */
export function keepBlockLater(res: ServerResponse, block: (status: number) => HeaderBlock): void {
  if (res instanceof KeepingResponse) res.keepLater(block);
  else keepBlock(res, block(res.statusCode));
}

const blocks = new WeakMap<Readonly<Record<string, string>>, HeaderBlock>();

/**
 * The block of headers of an object that is reused for many answers. Throws TypeError for an invalid name or value, and Error for a header on
 * which Node acts.
 */
export function blockOf(headers: Readonly<Record<string, string>>): HeaderBlock {
  let block = blocks.get(headers);
  if (block === undefined) blocks.set(headers, (block = newBlock(Object.entries(headers))));
  return block;
}

function newBlock(headers: readonly (readonly [name: string, value: string])[]): HeaderBlock {
  for (const [name, value] of headers) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    if (NODE_ACTS_ON.has(name) || CAPITAL.test(name)) throw new Error(`${name} cannot be in a block of headers`);
  }
  const names = new Set(headers.map(([name]) => name));
  return {
    names,
    first: headers[0]?.[0] ?? '',
    list: headers.flat(),
    text: headers.map(([name, value]) => `${name}: ${value}\r\n`).join(''),
  };
}
