// Runs once at each start of the stack: creates the bucket of the object store that the file describes, unless it exists.
// Mounted beside libs/object-store, so that the import finds the S3 client of that workspace, wherever npm has installed it.
import { readFileSync } from 'node:fs';
import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';

const { bucket, endpoint, region, forcePathStyle, accessKeyId, secretAccessKey } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const s3 = new S3Client({ endpoint, region, forcePathStyle, credentials: { accessKeyId, secretAccessKey } });

try {
  await s3.send(new HeadBucketCommand({ Bucket: bucket }));
  console.log(`bucket ${bucket} is there`);
} catch (error) {
  if (error.$metadata?.httpStatusCode !== 404) throw error;
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  console.log(`bucket ${bucket} made`);
}
