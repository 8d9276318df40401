import type { Translation } from '../translation.ts';
import { account } from './account.ts';
import { admin } from './admin.ts';
import { appearance } from './bots/appearance.ts';
import { transfer } from './bots/transfer.ts';
import { calls } from './calls.ts';
import { chatActions } from './chat/actions.ts';
import { artifacts } from './chat/artifacts.ts';
import { botChoice } from './chat/bot-choice.ts';
import { comparison } from './chat/comparison.ts';
import { chatExport } from './chat/export.ts';
import { modelMenu } from './chat/models.ts';
import { promptChoice } from './chat/prompt-choice.ts';
import { replyDetails } from './chat/reply-details.ts';
import { speech } from './chat/speech.ts';
import { entry } from './entry.ts';
import { errors } from './errors.ts';
import { fields } from './fields.ts';
import { texts } from './index.ts';
import { guideStarters } from './guide-starters.ts';
import { knowledgeReasons } from './knowledge-reasons.ts';
import { memory } from './memory.ts';
import { projects } from './projects.ts';
import { prompts } from './prompts.ts';
import { reasons } from './reasons.ts';
import { secondFactor } from './second-factor.ts';
import { sharing } from './sharing.ts';
import { notifications } from './shell/notifications.ts';
import { palette } from './shell/palette.ts';
import { shortcuts } from './shell/shortcuts.ts';
import { unsaved } from './unsaved.ts';

export const translation: Translation = {
  ...texts,
  account,
  adminPages: admin.pages,
  appearance,
  artifacts,
  botChoice,
  calls,
  chatActions,
  chatExport,
  comparison,
  entry,
  errors,
  fields,
  guideStarters,
  knowledgeReasons,
  memory,
  modelMenu,
  notifications,
  palette,
  projects,
  promptChoice,
  prompts,
  reasons,
  replyDetails,
  secondFactor,
  sharing,
  shortcuts,
  speech,
  transfer,
  unsaved,
};
