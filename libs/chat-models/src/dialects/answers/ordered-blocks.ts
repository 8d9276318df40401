import type { AnswerPart } from './answer-parts.ts';

/** A part of an answer that its events begin and end. */
export interface AnswerBlock {
  readonly kind: 'text' | 'reasoning' | 'redacted' | 'call';
  /** The ID of a call, or the data of redacted reasoning. */
  readonly id: string;
  /** The name of the tool that is called. */
  readonly name: string;
  /** What has arrived so far. */
  text: string;
}

/** Writes the events of a block. */
export interface BlockEvents {
  start(index: number, block: AnswerBlock): string;
  delta(index: number, block: AnswerBlock, text: string): string;
  signature(index: number, signature: string): string;
  stop(index: number, block: AnswerBlock): string;
}

interface WaitingBlock extends AnswerBlock {
  waiting: string;
  signed: string;
  hasEnded: boolean;
}

/** Writes blocks one after the other. Parts of parallel calls that arrive mixed are held back until the calls before them are complete. */
export class OrderedBlocks {
  /** The first one is open. */
  private readonly blocks: WaitingBlock[] = [];
  private isOpen = false;
  private index = 0;

  constructor(private readonly events: BlockEvents) {}

  take(part: AnswerPart): string {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        this.continued(part.type).waiting += part.text;
        break;
      case 'signature': {
        const last = this.blocks.at(-1);
        if (last?.kind !== 'reasoning') break;
        last.signed = part.signature;
        last.hasEnded = true;
        break;
      }
      case 'redacted':
        this.add(part.type, part.data).hasEnded = true;
        break;
      case 'call':
        this.add(part.type, part.id, part.name);
        break;
      case 'input': {
        const call = this.call(part.id);
        if (call) call.waiting += part.text;
        break;
      }
      case 'call-end': {
        const call = this.call(part.id);
        if (call) call.hasEnded = true;
        break;
      }
      case 'end':
        for (const block of this.blocks) block.hasEnded = true;
    }
    return this.written();
  }

  /** The last block if it is of this kind and has not ended, otherwise another one. */
  private continued(kind: 'text' | 'reasoning'): WaitingBlock {
    const last = this.blocks.at(-1);
    return last?.kind === kind && !last.hasEnded ? last : this.add(kind);
  }

  private add(kind: AnswerBlock['kind'], id = '', name = ''): WaitingBlock {
    const last = this.blocks.at(-1);
    // A call ends when it is complete, which may be later.
    if (last && last.kind !== 'call') last.hasEnded = true;
    const block: WaitingBlock = { kind, id, name, text: '', waiting: '', signed: '', hasEnded: false };
    this.blocks.push(block);
    return block;
  }

  private call(id: string): WaitingBlock | undefined {
    return this.blocks.find((block) => block.kind === 'call' && block.id === id);
  }

  private written(): string {
    let written = '';
    for (let block = this.blocks[0]; block; block = this.blocks[0]) {
      const { index, events } = this;
      if (!this.isOpen) written += events.start(index, block);
      this.isOpen = true;
      const { waiting, signed } = block;
      Object.assign(block, { text: block.text + waiting, waiting: '', signed: '' });
      if (waiting !== '') written += events.delta(index, block, waiting);
      if (signed !== '') written += events.signature(index, signed);
      if (!block.hasEnded) break;
      written += events.stop(index, block);
      this.blocks.shift();
      this.isOpen = false;
      this.index++;
    }
    return written;
  }
}
