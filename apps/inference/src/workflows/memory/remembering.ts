import { Injectable } from '@nestjs/common';
import { Catalogue } from '../../adapters/pricing/catalogue.ts';
import { Remember, REMEMBER } from '../../adapters/tools/remember.ts';
import { MOST_TOOLS, type OfferedTools } from '../../adapters/tools/toolbox.ts';
import type { ToolWork } from '../tools/tool-work.ts';
import type { PromptOfBot } from '../writing/reply-prompt.ts';
import { MemoryChanges } from './memory-changes.ts';

/** Offers the tool with which a model adds entries to the memory of its user. */
@Injectable()
export class Remembering {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly changes: MemoryChanges,
  ) {}

  /** The tools, and `remember` if the model may add entries and accepts tools. A model that already gets tools of its bot accepts them. */
  with(tools: OfferedTools, { usedMemory }: Pick<PromptOfBot, 'usedMemory'>, { live, question }: ToolWork): OfferedTools {
    if (!usedMemory?.mayRemember || tools.size >= MOST_TOOLS) return tools;
    if (tools.size === 0 && !this.catalogue.acceptsTools(question.model)) return tools;
    const { conversationId, replyId } = live.reply;
    const tool = new Remember((id, text) => this.changes.remember(id, question.userId, text, { conversationId, replyId }));
    return new Map([...tools, [REMEMBER, { tool, needsApproval: false }]]);
  }
}
