import { describe, expect, it } from '@jest/globals';
import { DEFAULT_PARAMETERS } from '@parlance/chat-models';
import { bytesOfTerms, instructionUnder, parametersUnder, termsOrNull } from './client-terms.ts';

describe('texts that a client sends with a message', () => {
  it('come after the instruction of the bot', () => {
    expect(instructionUnder('Be brief.', { instruction: 'Answer in French.' })).toBe('Be brief.\n\nAnswer in French.');
    expect(instructionUnder('', { instruction: 'Answer in French.' })).toBe('Answer in French.');
    expect(instructionUnder('Be brief.', {})).toBe('Be brief.');
  });

  it('add their stop sequences to those of the bot, each once', () => {
    const ofBot = { ...DEFAULT_PARAMETERS, stopSequences: ['END', '###'] };
    expect(parametersUnder(ofBot, { stopSequences: ['###', '---'] })).toEqual({ ...ofBot, stopSequences: ['END', '###', '---'] });
    expect(parametersUnder(ofBot, {})).toBe(ofBot);
  });

  it('are null if the client sends none, and leave out empty values', () => {
    expect(termsOrNull({ instruction: '', turns: [], stopSequences: [] })).toBeNull();
    expect(termsOrNull({ instruction: 'Be kind.', turns: [] })).toEqual({ instruction: 'Be kind.' });
  });

  it('count towards the bytes of the prompt', () => {
    expect(bytesOfTerms({ instruction: 'é', turns: [{ role: 'user', text: 'abc' }], stopSequences: ['END'] })).toBe(5);
  });
});
