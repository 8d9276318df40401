import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { StoreUnavailable, WrongSize } from './object-store.ts';
import { answered, uploaded } from './s3-patience.ts';

/**
 * The bytes of a body that are in memory at a time (two pieces at the beginning), so that a piece can be sent again. S3 accepts 10,000 pieces, so
 * a body may have 80 GB.
 */
export const PART_BYTES = 8 * 1024 ** 2;

export interface Piece {
  readonly Bucket: string;
  readonly Key: string;
  readonly ContentType: string;
}

/**
 * One object from many pieces. The object is visible only after the last step. After an error, no stored pieces remain. `patience`: the longest
 * time without progress.
 */
export async function uploadInParts(
  client: S3Client,
  patience: number,
  target: Piece,
  parts: AsyncIterable<Buffer>,
  size: number | undefined,
  condition: { readonly IfNoneMatch?: string },
): Promise<void> {
  const creation = new CreateMultipartUploadCommand(target);
  const { UploadId } = await answered(patience, (abortSignal) => client.send(creation, { abortSignal }));
  const upload = { Bucket: target.Bucket, Key: target.Key, UploadId };
  try {
    const done: CompletedPart[] = [];
    let written = 0;
    for await (const part of parts) {
      const PartNumber = done.length + 1;
      const command = new UploadPartCommand({ ...upload, PartNumber, Body: part });
      const { ETag } = await uploaded(client, patience, command);
      done.push({ PartNumber, ETag });
      written += part.length;
    }
    if (size !== undefined && size !== written) throw new WrongSize(size, written);
    const completion = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: done }, ...condition });
    await answered(patience, (abortSignal, progress) => {
      progress(written);
      return client.send(completion, { abortSignal });
    });
  } catch (error) {
    const abortion = new AbortMultipartUploadCommand(upload);
    const aborted = answered(patience, (abortSignal) => client.send(abortion, { abortSignal })).catch(() => undefined);
    // The caller gets the first error, and soon. A lifecycle rule removes an upload that cannot be aborted now.
    if (!(error instanceof StoreUnavailable)) await aborted;
    throw error;
  }
}
