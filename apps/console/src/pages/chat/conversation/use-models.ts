import type { BotSummary } from '@parlance/client/types';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pollMillis } from '../../../api/query-client.ts';
import { useMessages } from '../../../messages/index.ts';
import { parlance } from '../../../session/parlance.ts';
import { useConfig } from '../../../session/use-me.ts';
import { canReason, canSee, choosable, comparedModels, modelFor } from '../composer/models.ts';

export const botQuery = (botId: string | null) =>
  queryOptions({
    queryKey: ['bot-summary', botId],
    queryFn: async (): Promise<BotSummary> => parlance.api.get('/bot/summary/{botId}', { path: { botId: botId! } }),
    enabled: botId !== null,
    staleTime: 60_000,
    // Polls until the bot's knowledge is read.
    refetchInterval: ({ state }) => (state.data && isBeingRead(state.data) ? pollMillis(state.dataUpdateCount) : false),
  });

const isBeingRead = ({ sync_status }: BotSummary): boolean => sync_status === 'QUEUED' || sync_status === 'RUNNING';

/** The bot and the model of the next message, or why no message can be sent. */
export function useModels(botId: string | null, lastModel: string | null) {
  const { chat } = useMessages();
  const config = useConfig();
  const botAsked = useQuery(botQuery(botId));
  const [chosen, setChosen] = useState<string | null>(null);
  const [wanted, setWanted] = useState<readonly string[]>([]);
  const [wantsReasoning, setReasoning] = useState(false);
  const bot = botAsked.data ?? null;
  const models = config.data ? choosable(config.data, bot) : [];
  const model = modelFor(models, chosen, lastModel, bot?.default_model, config.data?.default_model);
  const compared = comparedModels(models, wanted);
  const asked = compared.length > 0 ? compared : [model];
  const isKnown = config.data !== undefined && (botId === null || bot !== null);
  const disabledReason = (() => {
    if (botAsked.isError) return chat.botUnavailable;
    if (config.isError) return chat.modelsUnknown;
    return isKnown && model === null ? chat.noModel : null;
  })();
  return {
    bot,
    all: config.data?.global_available_models ?? [],
    models,
    model,
    disabledReason,
    compared,
    canReason: asked.every(canReason),
    canSee: asked.every(canSee),
    isReasoning: wantsReasoning && asked.every(canReason),
    onModel: (id: string) => {
      setChosen(id);
      setWanted([]);
    },
    onCompare: setWanted,
    onReasoning: setReasoning,
    nameOf: (id: string) => config.data?.global_available_models.find((each) => each.id === id)?.name ?? id,
  };
}
