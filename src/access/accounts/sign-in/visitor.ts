/** The signed-in user. */
export interface Visitor {
  readonly id: string;
  readonly email: string;
  readonly isOperator: boolean;
  readonly sessionId: string;
  readonly hasFactor: boolean;
  /** When the session last gave it, in ms since 1970; null: never. */
  readonly factorAt: number | null;
}
