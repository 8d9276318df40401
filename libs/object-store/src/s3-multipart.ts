import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { WrongSize } from './object-store.ts';

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

/** One object from many pieces. The object is visible only after the last step. After an error, no stored pieces remain. */
export async function uploadInParts(
  client: S3Client,
  target: Piece,
  parts: AsyncIterable<Buffer>,
  size: number | undefined,
  condition: { readonly IfNoneMatch?: string },
): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
  const upload = { Bucket: target.Bucket, Key: target.Key, UploadId };
  try {
    const done: CompletedPart[] = [];
    let written = 0;
    for await (const part of parts) {
      const PartNumber = done.length + 1;
      const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body: part }));
      done.push({ PartNumber, ETag });
      written += part.length;
    }
    if (size !== undefined && size !== written) throw new WrongSize(size, written);
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: done }, ...condition }));
  } catch (error) {
    // The caller gets the first error. A lifecycle rule removes an upload that cannot be aborted now.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
    throw error;
  }
}
