import { PromptCommandHashes } from './commands/prompts/prompt-command-hashes.ts';
import { PromptWriter } from './commands/prompts/prompt-writer.ts';
import { InternalPromptsController } from './http/prompts/internal-prompts.controller.ts';
import { PromptAnswers } from './http/prompts/prompt-answers.ts';
import { PromptVersionsController } from './http/prompts/prompt-versions.controller.ts';
import { PromptsController } from './http/prompts/prompts.controller.ts';
import { RemoveTextsWhenPromptDeleted } from './policies/remove-texts-when-prompt-deleted.ts';

/** The parts of the module that keep the prompt library. */
export const promptParts = {
  controllers: [PromptsController, PromptVersionsController, InternalPromptsController, RemoveTextsWhenPromptDeleted],
  providers: [PromptWriter, PromptCommandHashes, PromptAnswers],
};
