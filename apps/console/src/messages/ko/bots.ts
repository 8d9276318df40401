import type { bots as English } from '../en/bots.ts';
import { editor } from './bots/editor.ts';
import { header } from './bots/header.ts';
import { history } from './bots/history.ts';
import { insights } from './bots/insights.ts';
import { knowledge } from './bots/knowledge.ts';
import { list } from './bots/list.ts';
import { publish } from './bots/publish.ts';
import { settings } from './bots/settings.ts';

/** Texts of the pages in pages/bots. */
export const bots: typeof English = { list, header, editor, settings, knowledge, history, publish, insights };
