import type { CallToolResult } from '@modelcontextprotocol/server';
import type { RateLimitState } from '../../access/limits/limiter.ts';
import { resetTime } from '../../access/limits/responses.ts';
import type { ApiError } from '../../lib/errors.ts';
import { SOURCE, type ToolAnswer } from './tool.ts';
import { answerText, errorText } from './words.ts';

/** The result of a call. */
export function resultOf(answer: ToolAnswer, budget: RateLimitState): CallToolResult {
  const { cost, remaining, limit, resetAt } = budget;
  return {
    content: [{ type: 'text', text: answerText(answer, budget) }],
    structuredContent: {
      source: SOURCE,
      ...answer.body,
      rateLimit: { cost, remaining, limit, resetAt: resetTime(resetAt) },
    },
  };
}

/** The result of a call that failed, in words: an agent can correct its arguments, or wait. */
export function failureOf(
  error: ApiError,
  budget: RateLimitState,
  { requestId, now }: { readonly requestId: string; readonly now: number },
): CallToolResult {
  const seconds = Math.max(1, Math.ceil((budget.resetAt - now) / 1_000));
  const text = errorText(error, error.code === 'RATE_LIMITED' ? seconds : undefined, requestId);
  return {
    isError: true,
    content: [{ type: 'text', text }],
    structuredContent: { error: { code: error.code, requestId } },
  };
}
