//! Scripts: what each side sends, and the exchanges that come of it.

mod classic;
mod layouts;
mod script;
mod vsr;
