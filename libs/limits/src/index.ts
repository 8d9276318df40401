export {
  type Block,
  type BlockEvent,
  blockOf,
  returnableOf,
  type ShrunkBlock,
  shrinking,
  type Blocks,
  evolveBlocks,
  FORGOTTEN_MILLIS,
  GRACE_MILLIS,
  isOver,
  type Ledger,
  lentOf,
  MOST_BLOCKS,
  type Uses,
  usesOf,
  type UsesOfBlocks,
  type Wish,
} from './blocks.ts';
export { BlockHolder, type Closed, type Lender, type Lent, type Request, type Shrunk, type Taken } from './block-holder.ts';
export { HeldBlock, type Take } from './held-block.ts';
export { dayOf, endOf, firstDayOf, type Period, PERIODS } from './periods.ts';
export {
  type Bucket,
  BUCKET_LEASE_MILLIS,
  BUCKET_USABLE_MILLIS,
  type BucketAnswer,
  type BucketCall,
  type BucketTerms,
  callBucket,
  type Called,
} from './bucket.ts';
export { HeldShare } from './held-share.ts';
export { MemoryLimitRows } from './memory-rows.ts';
export { LimitRows, type RowChanged } from './rows.ts';
export { afterReport, grantOf, NO_SHARE, type Report, type Share, takenOf, unusedOf, type Wanted } from './share.ts';
export { Pace } from './pace.ts';
