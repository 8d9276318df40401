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

/** Headers that are written as one text. They are checked when the block is made, not for each answer. */
export interface HeaderBlock {
  /** In lower case. */
  readonly names: ReadonlySet<string>;
  readonly first: string;
  readonly list: HeaderList;
  /** As they are in a head. */
  readonly text: string;
}

type HeadersOfWriteHead = OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined;
/** Node's own function, which all heads are written with. */
type StoreHeader = (firstLine: string, headers: unknown) => void;

const CAPITAL = /[A-Z]/;
/** Node does more for these than write them. */
const OF_NODE: ReadonlySet<string> = new Set([
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
 * A response with headers that it has unless the code that answers sets them. They are kept until the head is written. With `setHeader`, Node
 * checks each of them for each answer, and stores it twice.
 */
export class KeepingResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  private lists: HeaderList[] = [];
  private blocks: HeaderBlock[] = [];
  private later: ((status: number) => HeaderBlock) | null = null;
  /** What comes after the first line of the head. */
  private text = '';
  /** Node is given all that is kept, and calls methods of this class. */
  private isWriting = false;

  /** Replaces an earlier list that begins with the same name. */
  keep(list: HeaderList): void {
    const { lists } = this;
    let place = 0;
    while (place < lists.length && lists[place]![0] !== list[0]) place++;
    lists[place] = list;
  }

  /** The same for a block. */
  keepBlock(block: HeaderBlock): void {
    const { blocks } = this;
    let place = 0;
    while (place < blocks.length && blocks[place]!.first !== block.first) place++;
    blocks[place] = block;
  }

  /** Keeps what this function gives for the status of the answer, when the head is written. */
  keepLater(block: (status: number) => HeaderBlock): void {
    this.later = block;
  }

  override writeHead(status: number, reason?: string | HeadersOfWriteHead, headers?: HeadersOfWriteHead): this {
    if (this.later !== null && !this.headersSent) this.keepBlock(this.later(status));
    const given = typeof reason === 'string' ? headers : (headers ?? reason);
    const list = Array.isArray(given) || super.getHeaderNames().length > 0 ? null : this.listWith(given);
    if (list === null) {
      this.setKept();
      return super.writeHead(status, reason as string, headers);
    }
    this.isWriting = true;
    try {
      return typeof reason === 'string' ? super.writeHead(status, reason, list) : super.writeHead(status, list);
    } finally {
      // Also when Node has refused the head.
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

  /** The headers of the head, as Node takes them without an object. Null if a given name is not in lower case, as names are compared. */
  private listWith(given: OutgoingHttpHeaders | undefined): OutgoingHttpHeader[] | null {
    const all: OutgoingHttpHeader[] = [];
    let text = '';
    for (const block of this.blocks) {
      if (hasAny(given, block.names)) addOthers(all, block.list, given);
      else text += block.text;
    }
    for (const list of this.lists) addOthers(all, list, given);
    for (const name in given) {
      if (CAPITAL.test(name)) return null;
      all.push(name, given[name] as OutgoingHttpHeader);
    }
    this.text = text;
    return all;
  }

  private keptValue(name: string): string | undefined {
    const wanted = name.toLowerCase();
    for (const list of this.all) {
      for (let place = 0; place < list.length; place += 2) if (list[place] === wanted) return list[place + 1];
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
      for (let place = 0; place < list.length; place += 2) {
        const name = list[place] as string;
        if (!super.hasHeader(name)) super.setHeader(name, list[place + 1] as string);
      }
  }
}

function hasAny(given: OutgoingHttpHeaders | undefined, names: ReadonlySet<string>): boolean {
  for (const name in given) if (names.has(name)) return true;
  return false;
}

function addOthers(all: OutgoingHttpHeader[], list: HeaderList, given: OutgoingHttpHeaders | undefined): void {
  for (let place = 0; place < list.length; place += 2) {
    const name = list[place] as string;
    if (given?.[name] === undefined) all.push(name, list[place + 1] as string);
  }
}

/** Gives a response headers that it has unless the code that answers sets them. */
export function keepHeaders(res: ServerResponse, list: HeaderList): void {
  if (res instanceof KeepingResponse) res.keep(list);
  else for (let place = 0; place < list.length; place += 2) res.setHeader(list[place] as string, list[place + 1] as string);
}

/** The same for headers that many answers have. */
export function keepBlock(res: ServerResponse, block: HeaderBlock): void {
  if (res instanceof KeepingResponse) res.keepBlock(block);
  else keepHeaders(res, block.list);
}

/** The same for headers that depend on the status. */
export function keepBlockLater(res: ServerResponse, block: (status: number) => HeaderBlock): void {
  if (res instanceof KeepingResponse) res.keepLater(block);
  else keepBlock(res, block(res.statusCode));
}

const blocks = new WeakMap<Readonly<Record<string, string>>, HeaderBlock>();

/**
 * The block of an object that is used for many answers. Throws TypeError for a name or a value that cannot be in a head, and Error for a header that
 * Node acts on.
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
    if (OF_NODE.has(name) || CAPITAL.test(name)) throw new Error(`${name} cannot be in a block of headers`);
  }
  const names = new Set(headers.map(([name]) => name));
  return {
    names,
    first: headers[0]?.[0] ?? '',
    list: headers.flat(),
    text: headers.map(([name, value]) => `${name}: ${value}\r\n`).join(''),
  };
}
