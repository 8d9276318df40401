import { ParlanceError } from '@parlance/client';
import { messages } from '../../../messages/index.ts';
import { parlance } from '../../../session/parlance.ts';

interface Upload {
  readonly botId: string;
  readonly file: File;
  readonly onProgress: (sentBytes: number) => void;
  readonly signal: AbortSignal;
}

/** Used for files of unknown type. The server determines the type from the content. */
const UNKNOWN_TYPE = 'application/octet-stream';

/** Like `parlance.bots.upload`, but reports progress, which fetch cannot do. */
export async function sendWithProgress({ botId, file, onProgress, signal }: Upload): Promise<void> {
  const query = { filename: file.name, content_type: file.type || UNKNOWN_TYPE };
  const { url, method, headers } = await parlance.api.get('/bot/{botId}/presigned-url', { path: { botId }, query, signal });
  await new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = (message: string) => reject(new ParlanceError('upload_failed', message, { status: request.status }));
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
    request.addEventListener('load', () => (request.status < 300 ? resolve() : fail(reasonIn(request))));
    request.addEventListener('error', () => fail(messages().bots.knowledge.noAnswer));
    request.addEventListener('abort', () => reject(new DOMException('The upload was cancelled.', 'AbortError')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    if (signal.aborted) request.abort();
    else request.send(file);
  });
}

function reasonIn({ responseText, status }: XMLHttpRequest): string {
  try {
    const { detail } = JSON.parse(responseText) as { detail?: unknown };
    if (typeof detail === 'string') return detail;
  } catch {
    // Object stores report errors as XML.
  }
  return messages().bots.knowledge.refused(status);
}
