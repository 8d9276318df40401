import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { MAX_PROJECT_INSTRUCTION, MAX_PROJECT_TITLE } from '../../domain/projects/project-limits.ts';

export const ProjectSummary = z.object({
  project_id: z.string(),
  title: z.string().max(MAX_PROJECT_TITLE),
  owner_user_id: z.string(),
  role: z.enum(['owner', 'editor', 'viewer']).describe('The role of the caller.'),
  bot_id: z.string().nullable().describe('The bot that clients choose for a new conversation. Null for none.'),
  model: z.string().nullable().describe('The model that clients choose for a new conversation. Null for none.'),
  create_time: z.number().describe('In epoch seconds.'),
  last_change_time: z.number().describe('When the title, the instruction, the bot or the model was last changed, in epoch seconds.'),
});
export type ProjectSummary = z.infer<typeof ProjectSummary>;

const ProjectMember = z.object({ user_id: z.string(), role: z.enum(['owner', 'editor', 'viewer']) });

export const Project = ProjectSummary.extend({
  instruction: z
    .string()
    .max(MAX_PROJECT_INSTRUCTION)
    .describe('Part of the prompts of its conversations, after the instruction of their bot.'),
  members: z.array(ProjectMember).describe('All members, with the owner.'),
});
export type Project = z.infer<typeof Project>;

export const ProjectsAnswer = z.object({ projects: z.array(ProjectSummary), next_token: z.string().nullable() });
export type ProjectsAnswer = z.infer<typeof ProjectsAnswer>;

nameSchemas({ ProjectSummary, ProjectMember, Project, ProjectPage: ProjectsAnswer });
