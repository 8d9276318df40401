// Run once each time the stack comes up: makes the bucket named by PARLANCE_OBJECT_STORE unless it is there.
// Mounted beside libs/object-store, so that the import finds the S3 client wherever npm has put it for that workspace.
import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';

const { bucket, endpoint, region, forcePathStyle, accessKeyId, secretAccessKey } = JSON.parse(process.env.PARLANCE_OBJECT_STORE);
const s3 = new S3Client({ endpoint, region, forcePathStyle, credentials: { accessKeyId, secretAccessKey } });

try {
  await s3.send(new HeadBucketCommand({ Bucket: bucket }));
  console.log(`bucket ${bucket} is there`);
} catch (error) {
  if (error.$metadata?.httpStatusCode !== 404) throw error;
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  console.log(`bucket ${bucket} made`);
}
