export {
  type Block,
  type BlockEvent,
  blockOf,
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
export { BlockHolder, type Closed, type Lender, type Lent, type Request, type Taken } from './block-holder.ts';
export { HeldBlock, type Take } from './held-block.ts';
