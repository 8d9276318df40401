import { ConversationPlaceController } from './http/conversation-place.controller.ts';
import { ProjectsController } from './http/projects/projects.controller.ts';
import { ProjectChanges } from './workflows/projects/project-changes.ts';
import { ProjectInstructions } from './workflows/projects/project-instructions.ts';

/** The parts of the module that group conversations. */
export const projectParts = {
  controllers: [ProjectsController, ConversationPlaceController],
  providers: [ProjectChanges, ProjectInstructions],
};
