import { modelMenu } from './en/chat/models.ts';
import { hookOf } from './index.ts';

/** Loaded when the menu of models is first opened. */
export const useModelMenuMessages = hookOf('modelMenu', modelMenu);
