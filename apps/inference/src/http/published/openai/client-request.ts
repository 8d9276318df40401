import { refused } from '@parlance/http';
import type { z } from 'zod';
import type { RequestFile } from '../../../adapters/files/file-reader.ts';
import type { ReplyParameters } from '../../../domain/conversation-events.ts';
import type { ClientTerms, ClientTurn } from '../../../workflows/client-terms.ts';
import { MAX_TEXT_BYTES } from '../../bodies/message-body.ts';

/** One request of a client, in any of the supported standards. */
export interface ClientRequest {
  /** Null for the bot's default. */
  readonly model: string | null;
  /** The field with the question, as the client names it. */
  readonly questionField: 'messages' | 'input';
  readonly text: string;
  /** The files of the message and of its earlier turns, which refer to theirs by index. */
  readonly files: readonly RequestFile[];
  readonly terms: ClientTerms | null;
  readonly parameters: ReplyParameters;
  readonly reasoning: boolean;
}

/** One message of a client with its files. */
export interface ClientMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly files: readonly RequestFile[];
  /** Where its role and its text are in the request. */
  readonly paths: { readonly role: string; readonly content: string };
}

export const pathsOf = (message: string): ClientMessage['paths'] => ({ role: `${message}.role`, content: `${message}.content` });

/** Refuses one field of a request. `problem` continues a sentence that begins with the field. */
export const refuseAt = (path: string, problem: string): Error => refused('invalid_body', [{ path, message: problem }]);

/** Throws the refusal `invalid_body` (invalid), with the paths of all invalid fields. */
export function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw refused(
    'invalid_body',
    result.error.issues.map(deepest).map(({ path, message }) => ({ path: pathOf(path), message: problemOf(message) })),
  );
}

type Issue = z.core.$ZodIssue;

/** What is wrong with a value that may have several forms: in the form that it has, as deep inside it as possible. */
function deepest(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors.flatMap(([first]) => (first && !isOtherForm(first) ? [deepest(first)] : []));
  const best = inner.reduce<Issue | null>((found, each) => (found && found.path.length >= each.path.length ? found : each), null);
  return best ? { ...best, path: [...issue.path, ...best.path] } : issue;
}

const isOtherForm = ({ code, path }: Issue): boolean => code === 'invalid_type' && path.length === 0;

/** Paths as in other routes: `messages[0].role`. */
const pathOf = (path: readonly PropertyKey[]): string =>
  path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`)).join('');

const problemOf = (message: string): string => `is not valid: ${message.charAt(0).toLowerCase()}${message.slice(1).replace(/\.$/, '')}`;

/**
 * The last message is the question, and the others are the turns before it. Throws the refusal `invalid_body` (invalid) if the last one is not by
 * the user or is empty, or all texts together are too long. `field`: the field of all messages.
 */
export function questionOf(
  messages: readonly ClientMessage[],
  instruction: string,
  field: ClientRequest['questionField'],
): Pick<ClientRequest, 'questionField' | 'text' | 'files'> & {
  readonly turns: readonly ClientTurn[];
} {
  const question = messages.at(-1);
  if (!question) throw refuseAt(field, 'must end with a message of the role user');
  const { role: rolePath, content: contentPath } = question.paths;
  if (question.role !== 'user') throw refuseAt(rolePath, 'must be user, because this is the last message');
  if (question.text.trim() === '' && question.files.length === 0) throw refuseAt(contentPath, 'must not be empty');
  const bytes = messages.reduce((sum, { text }) => sum + Buffer.byteLength(text), Buffer.byteLength(instruction));
  if (bytes > MAX_TEXT_BYTES) throw refuseAt(field, `must have at most ${MAX_TEXT_BYTES} bytes of text`);
  const files: RequestFile[] = [];
  const turns = messages.slice(0, -1).map(({ role, text, files: own }): ClientTurn => {
    const numbers = own.map((file) => files.push(file) - 1);
    return { role, text, ...(numbers.length > 0 && { files: numbers }) };
  });
  return { questionField: field, text: question.text, files: [...files, ...question.files], turns };
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w.+-]+=[^;,]{1,200})*;base64,/i;

/** The base64 of a data URL. Throws the refusal `invalid_body` (invalid) for other URLs, because nothing is fetched for clients. */
export function base64Of(url: string, path: string): string {
  const start = DATA_URL.exec(url.slice(0, 1_000))?.[0];
  if (start === undefined) throw refuseAt(path, 'must be a data URL with base64, such as data:image/png;base64,…');
  return url.slice(start.length);
}

// oxlint-disable-next-line no-control-regex
const NOT_IN_NAMES = /[\\/\u0000-\u001f\u007f]/g;

/** An attachment with its name, in the form of the native route. */
export const attachmentOf = (dataUrl: string | undefined, name: string | undefined, path: string): RequestFile => ({
  kind: 'attachment',
  path,
  body: base64Of(dataUrl ?? '', path),
  name: (name ?? '').replaceAll(NOT_IN_NAMES, '_') || 'file',
});

/** Unsupported fields that would change the answer. Each has a test for values that change nothing. */
export type Unsupported = Readonly<Record<string, (value: unknown) => boolean>>;

export const isOff = (value: unknown): boolean => value === undefined || value === null || value === false;
export const isOffOr =
  (...harmless: readonly unknown[]) =>
  (value: unknown): boolean =>
    isOff(value) || harmless.includes(value);
export const isEmpty = (value: unknown): boolean =>
  isOff(value) || (typeof value === 'object' && Object.keys(value as object).length === 0);

/** Throws the refusal `invalid_body` (invalid) with the name of an unsupported field. */
export function refuseUnsupported(body: Readonly<Record<string, unknown>>, unsupported: Unsupported): void {
  const field = Object.keys(unsupported).find((name) => !unsupported[name]!(body[name]));
  if (field !== undefined) throw refuseAt(field, 'is not supported by this API; leave it out');
}
