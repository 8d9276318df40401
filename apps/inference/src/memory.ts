import { MemoryController } from './http/memory/memory.controller.ts';
import { MemoryChanges } from './workflows/memory/memory-changes.ts';
import { Remembering } from './workflows/memory/remembering.ts';
import { ReplyMemory } from './workflows/memory/reply-memory.ts';

/** The parts of the module that remember things about users. */
export const memoryParts = {
  controllers: [MemoryController],
  providers: [MemoryChanges, ReplyMemory, Remembering],
};
