/// The fault campaign: runs histories against the real application in the local world, kills and cuts it at named
/// boundaries, and judges afterwards by what everybody saw.
@NullMarked
package dev.gorkie.campaign;

import org.jspecify.annotations.NullMarked;
