import type { IncomingHttpHeaders } from 'node:http';
import {
  failureOf,
  GenerationFailed,
  LinkedAbort,
  TranslatedAnswer,
  translatedError,
  type TranslatedFormat,
  type TranslatedModel,
  type TranslatedRequest,
  UntranslatableRequest,
} from '@parlance/chat-models';
import { refuse, type Sentence } from '@parlance/decider';
import { readJson } from '@parlance/http';
import type { TranslatingProvider } from '../../model-providers.ts';
import type { CallFormat } from '../call-formats.ts';
import type { CallBody } from '../caller-body.ts';
import { type Call, type Exchanged, type ProviderAnswer, sendInTurn, type SilenceLimit } from '../provider-call.ts';
import { TranslatedBody } from './translated-body.ts';

/** A call whose provider has another API. */
export interface TranslatedCall extends Call {
  /** For the ID of the answer. */
  readonly callId: string;
  readonly format: CallFormat;
  readonly body: CallBody;
  /** Epoch seconds. */
  readonly created: number;
}

const TRANSLATED: readonly CallFormat[] = ['openai', 'anthropic', 'responses'] satisfies readonly TranslatedFormat[];

/** Whether requests in this format are translated for providers with another API. */
export const isTranslated = (format: CallFormat): format is TranslatedFormat => TRANSLATED.includes(format);

/** Throws the refusals `unsupported_parameter` and `invalid_body` (invalid), which name the field. */
export async function translatedRequest(model: TranslatedModel, format: CallFormat, json: unknown): Promise<TranslatedRequest> {
  if (!isTranslated(format)) throw new Error(`Requests in the format ${format} are not translated.`);
  try {
    return await model.translated(format, json);
  } catch (error) {
    throw error instanceof UntranslatableRequest ? refusalOf(error) : error;
  }
}

const refusalOf = ({ code, path, message }: UntranslatableRequest) =>
  refuse('invalid', code, `The field ${path} ${message}.` as Sentence, { errors: [{ path, message }] });

/** Sends a call to a provider with another API. Throws `NotAnswered`, and refusals of what cannot be translated. */
export async function sendTranslated({ gate, translated }: TranslatingProvider, call: TranslatedCall): Promise<ProviderAnswer> {
  const { format, body, callId: id, created, onHeaders } = call;
  const request = await translatedRequest(translated, format, await readJson(body.bytes));
  const form = { format: format as TranslatedFormat, isStreamed: body.isStreamed, id, model: translated.name, created };
  let silence: SilenceLimit | undefined;
  const answer = await sendInTurn(gate, call, async (signal, charge) => {
    const link = new LinkedAbort(signal);
    try {
      const { parts, headers } = await translated.send(request, link.signal);
      onHeaders?.(headers);
      const written = new TranslatedAnswer(parts, form);
      await written.begin().catch((error: unknown) => {
        written.cancel();
        throw error;
      });
      // A whole answer arrives in parts that are collected here. The parts of a stream are counted when they are passed on.
      const pieces = written.bytes(() => (form.isStreamed ? undefined : silence?.restart()));
      const leave = () => {
        link.unlink();
        link.abort();
        written.cancel();
      };
      const contentType = form.isStreamed ? 'text/event-stream' : 'application/json';
      const answered = new TranslatedBody(contentType, pieces, leave, form.isStreamed ? undefined : () => written.produced);
      return { status: 200, contentType, body: answered, refusal: null, isTranslated: true };
    } catch (error) {
      link.unlink();
      link.abort();
      signal.throwIfAborted();
      const { refusal, failed, isFree } = refusedIn(error, form.format);
      charge.isFree = isFree;
      onHeaders?.((error as Partial<ApiError> | undefined)?.responseHeaders ?? {});
      if (!refusal) throw failed;
      return refusal;
    }
  });
  ({ silence } = answer);
  return answer;
}

/** The fields of an error of the SDK for an answer with an error. */
interface ApiError {
  readonly name: string;
  readonly message: string;
  readonly statusCode?: number;
  readonly responseHeaders?: IncomingHttpHeaders;
}

/** Errors of the SDK for a request that it cannot translate. Nothing was sent. */
const UNTRANSLATABLE = /UnsupportedFunctionality|InvalidPrompt|InvalidArgument/;

function refusedIn(error: unknown, format: TranslatedFormat) {
  const { name = '', message = '', statusCode = 0 } = (error ?? {}) as Partial<ApiError>;
  if (UNTRANSLATABLE.test(name))
    throw refusalOf(
      new UntranslatableRequest('unsupported_parameter', 'messages', 'has content that the provider of this model does not take'),
    );
  const { failed, isFree } = error instanceof GenerationFailed ? { failed: error, isFree: false } : failureOf(error, 'sent');
  if (failed.code !== 'request_refused') return { failed, isFree, refusal: null };
  const said = Buffer.from(translatedError(format, message));
  const contentType = 'application/json';
  const body = new TranslatedBody(contentType, nothing(), () => undefined).destroy();
  const refusal: Exchanged = { status: statusCode, contentType, body, refusal: said };
  return { failed, isFree, refusal };
}

async function* nothing(): AsyncGenerator<Buffer> {}
