import { crc32, deflateRawSync } from 'node:zlib';

const SECOND = 1_000;
export const noon = Date.parse('2025-03-04T12:00:00Z');

type Author = 'user' | 'assistant' | 'system' | 'tool';
interface Node {
  readonly id: string;
  readonly parent: string | null;
  readonly role?: Author;
  readonly content?: object;
  readonly more?: object;
}

const saying = (text: string) => ({ content_type: 'text', parts: [text] });
export const says = (id: string, parent: string | null, role: Author, text: string, more: object = {}): Node => {
  return { id, parent, role, content: saying(text), more };
};

/** A conversation as ChatGPT exports it. The first node has no message. */
export function ofChatGpt(id: string, nodes: readonly Node[], more: object = {}) {
  const root: Node = { id: 'root', parent: null };
  const mapping = Object.fromEntries(
    [root, ...nodes].map(({ id: node, parent, role, content, more: its }, index) => {
      const message = role && {
        id: node,
        author: { role },
        create_time: noon / SECOND + index,
        content,
        recipient: 'all',
        metadata: {},
        ...its,
      };
      return [node, { id: node, parent, children: [], message: message ?? null }];
    }),
  );
  return {
    conversation_id: id,
    title: `Title of ${id}`,
    create_time: noon / SECOND + 0.25,
    mapping,
    current_node: nodes.at(-1)?.id,
    ...more,
  };
}

/** A question with two answers, and a question and an answer after the second one. */
export const branched = (id: string) =>
  ofChatGpt(id, [
    says('q1', 'root', 'user', 'Why is the sky blue?'),
    says('a1', 'q1', 'assistant', 'I do not know.'),
    says('a2', 'q1', 'assistant', 'It scatters light.', { metadata: { model_slug: 'gpt-4o' } }),
    says('q2', 'a2', 'user', 'And the sea?'),
    says('a3', 'q2', 'assistant', 'It mirrors the sky.'),
  ]);

export const ofClaude = (id: string, messages: readonly object[], more: object = {}) => ({
  uuid: id,
  name: `Title of ${id}`,
  created_at: new Date(noon).toISOString(),
  chat_messages: messages.map((message, index) => ({ created_at: new Date(noon + index * SECOND).toISOString(), ...message })),
  ...more,
});

export interface OwnMessage {
  readonly id: string;
  readonly parent_id: string | null;
  readonly role: string;
  readonly text: string;
}

/** A conversation of our own format. */
export const ofParlance = (id: string, messages: readonly OwnMessage[], more: object = {}) => ({
  format: 'parlance-conversation/1',
  id,
  title: `Title of ${id}`,
  bot_id: null,
  create_time: noon,
  messages: messages.map(({ text, ...rest }, index) => ({
    ...rest,
    model: 'mock',
    create_time: noon + index * SECOND,
    content: [{ type: 'text', text }],
    feedback: null,
  })),
  ...more,
});

export interface Packed {
  readonly name: string;
  readonly data: Buffer | string;
  /** The size that the archive declares instead of the real one. */
  readonly size?: number;
  readonly flags?: number;
}

/** A ZIP with these entries, including malicious ones. */
export function zipOf(...entries: readonly Packed[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, data, size, flags = 0x0800 } of entries) {
    const bytes = Buffer.from(data);
    const packed = deflateRawSync(bytes);
    const file = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt16LE(0x21, 8);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size ?? bytes.length, 18);
    common.writeUInt16LE(file.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    locals.push(Buffer.from('PK\u0003\u0004'), common, file, packed);
    central.push(Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, rest, file);
    offset += 30 + file.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}
