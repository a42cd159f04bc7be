mod bands;
mod gaps;
mod limits;
mod names;
mod script;
mod stalls;
mod tally;
mod told;
