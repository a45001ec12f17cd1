/** The one line that hail answers with (byte contract). */
import { type AnswerValue, encodeAnswer } from '../../../kit/json/ascii-json.ts';

/** Success, what is to be said about it, and the result, in this order; further members may follow them. */
export const answerLine = (
  isSuccess: boolean,
  info: string,
  result: AnswerValue,
  more: Readonly<Record<string, AnswerValue>> = {},
): string => `${encodeAnswer({ success: isSuccess, info, result, ...more })}\n`;
